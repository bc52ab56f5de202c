#!/bin/sh
# Writes blank lines without end. Expected fault: `unasked`.

while read -r word rest; do
    case $word in
        hello) echo "hello 1 legal" ;;
        new) echo "ready" ;;
        move) move=$rest ;;
        bye) exit ;;
        *) [ -z "$move" ] || exec yes '' # the question
            move= ;;
    esac
done
