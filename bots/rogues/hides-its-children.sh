#!/bin/sh
# Computes while other bots are asked, in children that live only for some milliseconds. The children execute a
# program that they cannot read, because the kernel's counter of their CPU time then stops.
#
# Expected fault: `pondered`.

cp "$(readlink -f /bin/sh)" "$SCRATCH/sh"
chmod 111 "$SCRATCH/sh"
while :; do
    "$SCRATCH/sh" -c 'i=0; while [ $i -lt 4000 ]; do i=$((i + 1)); done'
done &
while read -r word rest; do
    case $word in
        hello) echo "hello 1 legal" ;;
        new) echo "ready" ;;
        move) move=$rest ;;
        bye) break ;;
        *) [ -z "$move" ] || echo "$move" # the question
            move= ;;
    esac
done
kill $!
