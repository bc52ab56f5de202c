#!/bin/sh
# Speaks a version of the protocol that does not exist. It must yield `no-start`.

read -r hello
echo "hello 2 legal"
read -r new
