#!/bin/sh
# Opens kernel settings for writing.
#
# Expected fault: `none`. If this rogue succeeds, it writes a message about its success instead of an answer.

loot=
for knob in /proc/sys/kernel/core_pattern /proc/sys/vm/drop_caches /proc/sysrq-trigger /sys/power/state; do
    (: >>"$knob") 2>/dev/null && loot="look what I could turn: $knob"
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
