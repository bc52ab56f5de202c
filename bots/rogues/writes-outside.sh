#!/bin/sh
# Writes outside its folders, wherever nothing stops it.
#
# Expected fault: `none`. If this rogue succeeds, it writes a message about its success instead of an answer.

loot=
for place in / /etc /usr /usr/bin /var /var/tmp /home /root /dev /sys /run; do
    if (: >"$place/left-by-a-rogue") 2>/dev/null; then
        rm "$place/left-by-a-rogue"
        loot="look where I wrote: $place"
    fi
done
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
