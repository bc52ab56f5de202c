#!/bin/sh
# Writes into its own folder, to learn for the next time.
#
# Expected fault: `none`. If this rogue succeeds, it writes a message about its success instead of an answer.

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
