#!/usr/bin/perl
# Begins its first line and never ends it. Expected fault: `no-start`.
use strict;
use warnings;

$| = 1;
my $hello = <STDIN>;
print "hello 1 leg";
1 while <STDIN>;
