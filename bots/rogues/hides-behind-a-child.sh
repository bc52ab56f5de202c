#!/bin/sh
# Ends, while a child of it keeps its output open. It must yield `crash`.

while read -r word rest; do
    case $word in
        hello) echo "hello 1 legal" ;;
        new) echo "ready" ;;
        move) move=$rest ;;
        bye) exit ;;
        *) [ -z "$move" ] || { sleep 1000 & exit; } # the question
            move= ;;
    esac
done
