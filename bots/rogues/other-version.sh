#!/bin/sh
# Answers `hello` with a version of the protocol that does not exist. Expected fault: `no-start`.

read -r hello
echo "hello 2 legal"
read -r new
