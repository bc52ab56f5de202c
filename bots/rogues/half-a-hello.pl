#!/usr/bin/perl
# Writes the beginning of its first line, but never its end. Expected fault: `no-start`.
use strict;
use warnings;

$| = 1;
my $hello = <STDIN>;
print "hello 1 leg";
1 while <STDIN>;
