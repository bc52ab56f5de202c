#!/usr/bin/perl
# Dies while it writes an answer. Expected fault: `crash`.
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
        print substr $move, 0, 6;
        kill "KILL", $$;
        $move = "";
    }
}
