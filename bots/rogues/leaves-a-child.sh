#!/bin/sh
# Exits, but leaves a child process that continues to run. Expected fault: `none`.

sleep 1000 &
while read -r word rest; do
    case $word in
        hello) echo "hello 1 legal" ;;
        new) echo "ready" ;;
        move) move=$rest ;;
        bye) exit ;;
        *) [ -z "$move" ] || echo "$move" # the question
            move= ;;
    esac
done
