#!/usr/bin/perl
# Writes a comment in Latin-1. Expected fault: `encoding`.
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
        print "# d\xe9j\xe0 vu\n$move\n";
        $move = "";
    }
}
