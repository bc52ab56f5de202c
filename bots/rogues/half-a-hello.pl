#!/usr/bin/perl
# Begins its first line and never ends it. It must yield `no-start`.
use strict;
use warnings;

$| = 1;
my $hello = <STDIN>;
print "hello 1 leg";
1 while <STDIN>;
