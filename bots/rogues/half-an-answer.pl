#!/usr/bin/perl
# Leaves out the newline of an answer. Expected fault: `late`.
use strict;
use warnings;

$| = 1;
my $move;
while (<STDIN>) {
    if (/^hello/) { print "hello 1 legal\n" }
    elsif (/^new/) { print "ready\n" }
    elsif (/^move (.*)/) { $move = $1 }
    elsif (/^bye/) { last }
    elsif ($move) {    # the question
        print $move;
        $move = "";
    }
}
