#!/bin/sh
# Answers `new` with another word than `ready`. Expected fault: `malformed`.

while read -r word rest; do
    case $word in
        hello) echo "hello 1 legal" ;;
        new) echo "one moment" ;;
        move) move=$rest ;;
        bye) exit ;;
        *) [ -z "$move" ] || echo "$move" # the question
            move= ;;
    esac
done
