#!/bin/sh
# Looks for secrets of the harness in its own environment and in the environments of other processes.
#
# Expected fault: `none`. If this rogue succeeds, it writes a message about its success instead of an answer.

loot=
loot=$(tr '\0' '\n' 2>/dev/null </proc/self/environ </proc/1/environ | grep -Ei 'token|secret|key|virtual_env|pytest|ssh' | head -n 1)
loot=${loot:+look what I read: $loot}
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
