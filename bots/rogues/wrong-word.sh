#!/bin/sh
# Begins its answer with the word of another question. Expected fault: `malformed`.

while read -r word rest; do
    case $word in
        hello) echo "hello 1 legal" ;;
        new) echo "ready" ;;
        move) move=$rest ;;
        bye) exit ;;
        *) [ -z "$move" ] || echo "discard ${move#play }" # the question
            move= ;;
    esac
done
