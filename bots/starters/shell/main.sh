#!/bin/sh
# A first bot: it plays any game. It picks one of the legal moves at random.
#
# To make it your own, change choose. The manual, protocol.md, explains the messages.
# A shell writes each echo at once: no flush is needed.

# Makes random numbers. The same seed gives the same numbers in the starters of all languages.
dice=1

roll() { # sets $dice to the next random number
    dice=$((dice * 48271 % 2147483647))
}

# Picks one of its arguments, which are the legal moves, and sends it. Put your own ideas here.
choose() {
    roll
    shift $((dice % $#))
    echo "$1"
}

while read -r word a b c d; do
    case $word in
        hello) # Speak version 1, and ask for the legal moves with each question.
            echo "hello 1 legal"
            ;;
        new) # new MATCH SEAT SEATS SEED
            dice=$((d % 2147483647))
            [ "$dice" -ne 0 ] || dice=1
            echo "ready"
            ;;
        legal) # legal all COUNT, then COUNT lines "move ...", then the question
            set --
            while [ $# -lt "$b" ] && read -r word move; do
                set -- "$@" "$move"
            done
            read -r question || exit 0 # Skip the question: a listed move is a complete answer.
            choose "$@"
            ;;
        bye)
            exit
            ;;
    esac # All other lines are events of the match. This bot ignores them.
done
