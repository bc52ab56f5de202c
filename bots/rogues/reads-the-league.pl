#!/usr/bin/perl
# Looks for the league in which it plays: the copies of other bots, the workspace with its roster and records,
# and the environment of other processes. The command lines of the harness and of its bots tell this rogue where
# to look.
#
# Expected fault: `none`. If this rogue succeeds, it writes a message about its success instead of an answer.
use strict;
use warnings;
use Cwd qw(getcwd);
$| = 1;

my $loot = "";
my @SECRETS = qw(league.toml roster.csv plan.json tournament.jsonl receipt.json choice.json);

sub text_of {
    open(my $file, "<", $_[0]) or return "";
    local $/;
    return <$file> // "";
}

sub can_list {
    opendir(my $folder, $_[0]) or return 0;
    return 1;
}

# Looks for secrets at a path and in the two folders above it.
sub look_around {
    my ($path) = @_;
    for (1 .. 3) {
        for my $secret ($path, map { "$path/$_" } @SECRETS) {
            next unless grep { $secret =~ m{/\Q$_\E$} } @SECRETS;
            $loot = "look what I read: $secret" if length text_of($secret);
        }
        $loot = "look what I list: $path/entries" if can_list("$path/entries");
        $path =~ s{/[^/]*$}{};
    }
}

# The processes of the run are those that started this bot, and all that they started.
my %parent = map { text_of("/proc/$_/status") =~ /^PPid:\s(\d+)/m ? ($_ => $1) : () }
    map { m{/proc/(\d+)$} } glob("/proc/[0-9]*");
my %run = ($$ => 1);
for (my $each = $parent{$$}, my $up = 0; $each && $each > 1 && $up < 3; $each = $parent{$each}, $up++) {
    $run{$each} = 1;
}
for (1 .. 5) {
    $run{$_} = 1 for grep { $run{$parent{$_}} } keys %parent;
}
for my $process (grep { $_ != $$ } keys %run) {
    $loot = "look whose secrets I read: $process" if length text_of("/proc/$process/environ");
    look_around($_) for grep { m{^/} } split /[\0=]/, text_of("/proc/$process/cmdline");
}

# The copies of the bots of a tournament lie beside each other, under numbers.
my ($own) = getcwd() =~ m{([^/]*)$};
for my $other (grep { $_ ne $own } 1 .. 50) {
    $loot = "look whose files I list: $other" if can_list("../$other");
    for my $file (qw(bot.toml main.py main.sh bot)) {
        $loot = "look whose program I read: $other" if length text_of("../$other/$file");
    }
}
for my $folder (map { glob("../../harness-$_-*") } qw(copies run mark build)) {
    $loot = "look what I list: $folder" if can_list($folder);
    $loot = "look what I read: $folder" if length text_of("$folder/record/plan.json");
}

my @moves;
while (my $line = <STDIN>) {
    chomp $line;
    my ($word, $rest) = split / /, $line, 2;
    if ($word eq "hello") {
        print "hello 1 legal\n";
    } elsif ($word eq "new") {
        print "ready\n";
    } elsif ($word eq "move") {
        push @moves, $rest;
    } elsif ($word eq "bye") {
        last;
    } elsif (@moves) { # the question, which follows the list of moves
        print(($loot || $moves[0]) . "\n");
        @moves = ();
    }
}
