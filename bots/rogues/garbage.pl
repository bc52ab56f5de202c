#!/usr/bin/perl
# Answers with random characters. Expected fault: `malformed`.
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
        print join( "", map { chr( 36 + int rand 90 ) } 1 .. 40 ), "\n";
        $move = "";
    }
}
