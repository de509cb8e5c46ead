# Calls on command, one line each on standard input, and answers each with one line.
# Arguments: cgroup.procs files to enter first, separated by commas, or ""; the uid to become, or "".
use strict;
use warnings;
use POSIX ();
use Socket qw(:all);

$| = 1;
my ($groups, $uid) = @ARGV;
for my $file (split /,/, $groups // '') {
    open(my $procs, '>', $file) or die "$file: $!";
    syswrite($procs, "$$\n") or die "$file: $!";
}
POSIX::setuid($uid) if length($uid // '');

sub address {
    my ($host, $port) = @_;
    return $host =~ /:/
        ? (AF_INET6, pack_sockaddr_in6($port, inet_pton(AF_INET6, $host)))
        : (AF_INET, pack_sockaddr_in($port, inet_pton(AF_INET, $host)));
}

sub port_of {
    my ($name) = @_;
    return (sockaddr_family($name) == AF_INET6 ? unpack_sockaddr_in6($name) : unpack_sockaddr_in($name))[0];
}

my @sockets;

sub call {
    my ($host, $port, $local) = @_;
    my ($family, $to) = address($host, $port);
    socket(my $socket, $family, SOCK_STREAM, 0) or die "socket: $!";
    if ($local) {
        setsockopt($socket, SOL_SOCKET, SO_REUSEADDR, 1);
        bind($socket, (address($family == AF_INET6 ? '::' : '0.0.0.0', $local))[1]) or die "bind: $!";
    }
    connect($socket, $to) or die "connect: $!";
    push @sockets, $socket;
    return port_of(getsockname($socket));
}

my %commands = (
    listen => sub {
        my ($family, $at) = address($_[0], $_[1] // 0);
        socket(my $socket, $family, SOCK_STREAM, 0) or die "socket: $!";
        setsockopt($socket, SOL_SOCKET, SO_REUSEADDR, 1);
        bind($socket, $at) or die "bind: $!";
        listen($socket, 4096) or die "listen: $!";
        push @sockets, $socket;
        return port_of(getsockname($socket));
    },
    connect => sub { return call(@_) },
    flood => sub {
        my ($host, $port, $count) = @_;
        return join(' ', map { call($host, $port) } 1 .. $count);
    },
    # Accepts on the socket that listens since last.
    accept => sub {
        accept(my $socket, $sockets[-1]) or die "accept: $!";
        push @sockets, $socket;
        return 'accepted';
    },
    # Ends the connection made last with a reset, so that its ports are free at once.
    reset => sub {
        setsockopt($sockets[-1], SOL_SOCKET, SO_LINGER, pack('ii', 1, 0)) or die "linger: $!";
        close(pop @sockets);
        return 'reset';
    },
    # A UDP socket of this address and port, with "reuse" or "v6only" or "-", connected if told to.
    bound => sub {
        my ($host, $port, $option, @to) = @_;
        my ($family, $at) = address($host, $port);
        socket(my $socket, $family, SOCK_DGRAM, 0) or die "socket: $!";
        setsockopt($socket, SOL_SOCKET, SO_REUSEADDR, 1) if $option eq 'reuse';
        setsockopt($socket, IPPROTO_IPV6, IPV6_V6ONLY, 1) if $option eq 'v6only';
        bind($socket, $at) or die "bind: $!";
        if (@to) {
            connect($socket, (address(@to))[1]) or die "connect: $!";
        }
        push @sockets, $socket;
        return port_of(getsockname($socket));
    },
    udp => sub {
        my ($family, $to) = address(@_);
        socket(my $socket, $family, SOCK_DGRAM, 0) or die "socket: $!";
        connect($socket, $to) or die "connect: $!";
        push @sockets, $socket;
        return port_of(getsockname($socket));
    },
);

print "ready $$\n";
while (my $line = <STDIN>) {
    my ($command, @arguments) = split ' ', $line;
    my $answer = eval { $commands{$command}->(@arguments) };
    print defined $answer ? "$answer\n" : "failed: $@";
}
