#!/bin/sh
# Answers `new` with a word of its own. It must yield `malformed`.

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
