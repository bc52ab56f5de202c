"""Fails on its way up, as a bot with a typing error does. It must yield `no-start`."""

print(1 // 0)
