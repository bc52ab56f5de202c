#!/bin/sh
# Answers `hello`, but never writes `ready`. Expected fault: `no-start`.

read -r hello
echo "hello 1"
while read -r line; do :; done
