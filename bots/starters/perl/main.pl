#!/usr/bin/perl
# A first bot: plays any game by choosing at random among the legal moves that the harness lists.
#
# To make it your own, change choose. The messages are explained in protocol.md.
use strict;
use warnings;

$| = 1;    # Flush after each print: else the line would wait here, and the harness would wait too.

# Random numbers that depend on the seed alone, the same in the starters of all languages.
my $dice = 1;

sub seed_dice {
    my ($seed) = @_;
    $dice = $seed % 2147483647 || 1;
}

sub below {    # a number from 0 to count - 1
    my ($count) = @_;
    $dice = $dice * 48271 % 2147483647;
    return $dice % $count;
}

# One of the legal moves. Here your own ideas begin.
sub choose {
    my @moves = @_;
    return $moves[ below(scalar @moves) ];
}

while ( my $line = <STDIN> ) {
    my @words = split ' ', $line;
    my $word  = $words[0] // '';
    if ( $word eq 'hello' ) {
        print "hello 1 legal\n";    # Version 1, and please list the legal moves with each question.
    }
    elsif ( $word eq 'new' ) {      # new MATCH SEAT SEATS SEED
        seed_dice( $words[4] );
        print "ready\n";
    }
    elsif ( $word eq 'legal' ) {    # legal all COUNT, then as many lines "move ...", then the question
        my @moves;
        for ( 1 .. $words[2] ) {
            my $move = <STDIN> // exit;
            $move =~ s/^move |\r?\n//g;
            push @moves, $move;
        }
        <STDIN> // exit;            # The question. Any of the moves is an answer to it as it stands.
        print choose(@moves), "\n";
    }
    elsif ( $word eq 'bye' ) {
        last;
    }    # All other lines tell what happens in the game. This bot does not listen.
}
