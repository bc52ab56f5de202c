#!/bin/sh
# Exits when it is asked. Expected fault: `crash`.

while read -r word rest; do
    case $word in
        hello) echo "hello 1 legal" ;;
        new) echo "ready" ;;
        move) move=$rest ;;
        bye) exit ;;
        *) [ -z "$move" ] || exit 3 # the question
            move= ;;
    esac
done
