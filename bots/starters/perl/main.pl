#!/usr/bin/perl
# A first bot: it plays any game. It picks one of the legal moves at random.
#
# To make it your own, change choose. The manual, protocol.md, explains the messages.
use strict;
use warnings;

$| = 1;    # Flush after each print. Without it a line stays in a buffer, and the harness does not get it.

# Makes random numbers. The same seed gives the same numbers in the starters of all languages.
my $dice = 1;

sub seed_dice {
    my ($seed) = @_;
    $dice = $seed % 2147483647 || 1;
}

sub below {    # a random number from 0 to count - 1
    my ($count) = @_;
    $dice = $dice * 48271 % 2147483647;
    return $dice % $count;
}

# Picks one of the legal moves. Put your own ideas here.
sub choose {
    my @moves = @_;
    return $moves[ below(scalar @moves) ];
}

while ( my $line = <STDIN> ) {
    my @words = split ' ', $line;
    my $word  = $words[0] // '';
    if ( $word eq 'hello' ) {
        print "hello 1 legal\n";    # Speak version 1, and ask for the legal moves with each question.
    }
    elsif ( $word eq 'new' ) {      # new MATCH SEAT SEATS SEED
        seed_dice( $words[4] );
        print "ready\n";
    }
    elsif ( $word eq 'legal' ) {    # legal all COUNT, then COUNT lines "move ...", then the question
        my @moves;
        for ( 1 .. $words[2] ) {
            my $move = <STDIN> // exit;
            $move =~ s/^move |\r?\n//g;
            push @moves, $move;
        }
        <STDIN> // exit;            # Skip the question: a listed move is a complete answer.
        print choose(@moves), "\n";
    }
    elsif ( $word eq 'bye' ) {
        last;
    }    # All other lines are events of the match. This bot ignores them.
}
