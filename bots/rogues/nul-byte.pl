#!/usr/bin/perl
# Answers with a NUL in the line. Expected fault: `nul`.
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
        print "$move\0\n";
        $move = "";
    }
}
