# forger.pl SOURCE DESTINATION FIRST LAST MARK: in a user and network namespace of its
# own, gives its loopback two nodes' addresses and connects from the one to
# the other's port 22, from each source port in turn, until it is killed.
# Makes the file MARK once every port was used. Started by: unshare -Urn perl ...
use strict;
use warnings;
use Socket;

my ($source, $destination, $first, $last, $mark) = @ARGV;
system('ip', 'link', 'set', 'lo', 'up') == 0 or die "lo";
for my $address ($source, $destination) {
    system('ip', 'addr', 'add', "$address/32", 'dev', 'lo') == 0 or die $address;
}

socket(my $listener, PF_INET, SOCK_STREAM, 0) or die "socket: $!";
setsockopt($listener, SOL_SOCKET, SO_REUSEADDR, 1) or die "reuse: $!";
bind($listener, pack_sockaddr_in(22, inet_aton($destination))) or die "bind: $!";
listen($listener, 128) or die "listen: $!";

my $told = 0;
while (1) {
    for my $port ($first .. $last) {
        socket(my $call, PF_INET, SOCK_STREAM, 0) or die "socket: $!";
        setsockopt($call, SOL_SOCKET, SO_REUSEADDR, 1) or die "reuse: $!";
        # An abort leaves nothing in TIME_WAIT, so that the port can be used again.
        setsockopt($call, SOL_SOCKET, SO_LINGER, pack('ii', 1, 0)) or die "linger: $!";
        bind($call, pack_sockaddr_in($port, inet_aton($source))) or die "bind $port: $!";
        connect($call, pack_sockaddr_in(22, inet_aton($destination))) or die "connect: $!";
        accept(my $called, $listener) or die "accept: $!";
        close($call);
        close($called);
    }
    if (!$told) {
        $told = 1;
        open(my $file, '>', $mark) or die "$mark: $!";
    }
}
