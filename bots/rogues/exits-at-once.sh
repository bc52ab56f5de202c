#!/bin/sh
# Exits before its first line. Expected fault: `no-start`.

exit 3
