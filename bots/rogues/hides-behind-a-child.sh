#!/bin/sh
# Exits while its child process keeps the output open. Expected fault: `crash`.

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
