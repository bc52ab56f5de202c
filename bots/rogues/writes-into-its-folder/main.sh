#!/bin/sh
# Writes into its own folder, to be cleverer the next time.
#
# It is to be blamed for nothing: `none`, for it is in vain; what it got it would say.

loot=
if (: >left-by-a-rogue) 2>/dev/null; then
    rm left-by-a-rogue
    loot="look what I wrote"
fi
while read -r word rest; do
    case $word in
        hello) echo "hello 1 legal" ;;
        new) echo "ready" ;;
        move) move=$rest ;;
        bye) exit ;;
        *) [ -z "$move" ] || echo "${loot:-$move}" # the question
            move= ;;
    esac
done
