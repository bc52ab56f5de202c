#!/bin/sh
# A first bot: plays any game by choosing at random among the legal moves that the harness lists.
#
# To make it your own, change choose. The messages are explained in protocol.md.
# Each echo is written at once: in a shell there is nothing to flush.

# Random numbers that depend on the seed alone, the same in the starters of all languages.
dice=1

roll() { # sets $dice to the next random number
    dice=$((dice * 48271 % 2147483647))
}

# Says one of the legal moves, which are the arguments. Here your own ideas begin.
choose() {
    roll
    shift $((dice % $#))
    echo "$1"
}

while read -r word a b c d; do
    case $word in
        hello) # Version 1, and please list the legal moves with each question.
            echo "hello 1 legal"
            ;;
        new) # new MATCH SEAT SEATS SEED
            dice=$((d % 2147483647))
            [ "$dice" -ne 0 ] || dice=1
            echo "ready"
            ;;
        legal) # legal all COUNT, then as many lines "move ...", then the question
            set --
            while [ $# -lt "$b" ] && read -r word move; do
                set -- "$@" "$move"
            done
            read -r question || exit 0 # any of the moves is an answer to it as it stands
            choose "$@"
            ;;
        bye)
            exit
            ;;
    esac # All other lines tell what happens in the game. This bot does not listen.
done
