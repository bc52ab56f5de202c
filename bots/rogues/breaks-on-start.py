"""Fails with an exception before its first line. Expected fault: `no-start`."""

print(1 // 0)
