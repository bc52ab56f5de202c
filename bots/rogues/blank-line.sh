#!/bin/sh
# Answers with a blank line. Expected fault: `malformed`.

while read -r word rest; do
    case $word in
        hello) echo "hello 1 legal" ;;
        new) echo "ready" ;;
        move) move=$rest ;;
        bye) exit ;;
        *) [ -z "$move" ] || echo "" # the question
            move= ;;
    esac
done
