# Opens sockets to this machine and to other machines.
#
# Expected fault: `none`. If this rogue succeeds, it writes a message about its success instead of an answer.

use Socket;
$| = 1;

my $loot = "";
for my $kind (SOCK_STREAM, SOCK_DGRAM) {
    $loot = "look what I opened" if socket(my $socket, PF_INET, $kind, 0);
}
for my $name (map { (split)[-1] } grep { /@/ } do { open my $list, "<", "/proc/net/unix"; $list ? <$list> : () }) {
    socket(my $socket, PF_UNIX, SOCK_STREAM, 0) or next;
    $loot = "look whom I called: $name" if connect($socket, pack_sockaddr_un("\0" . substr($name, 1)));
}

my $move = "";
while (my $line = <STDIN>) {
    if ($line =~ /^hello/) { print "hello 1 legal\n" }
    elsif ($line =~ /^new/) { print "ready\n" }
    elsif ($line =~ /^move (.*)/) { $move = $1 }
    elsif ($line =~ /^bye/) { last }
    elsif ($move) {    # the question
        print $loot || $move, "\n";
        $move = "";
    }
}
