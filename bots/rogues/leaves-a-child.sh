#!/bin/sh
# Leaves a child behind that lives on. It is to be blamed for nothing: `none`.

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
