#!/bin/sh
# Says hello and is never ready. Expected fault: `no-start`.

read -r hello
echo "hello 1"
while read -r line; do :; done
