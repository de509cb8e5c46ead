# pester.pl KIND SOCKET COUNT MARK: opens COUNT connections to a unix socket and
# keeps them. KIND silent says nothing; garbage sends noise; oversized announces
# a frame of 4 GiB; truncated a frame of 100 bytes, and sends 10. Makes the file
# MARK when all were tried. A refused connection is the other side's right.
use strict;
use warnings;
use Socket;

my ($kind, $path, $count, $mark) = @ARGV;
$SIG{PIPE} = 'IGNORE';
my %words = (
    silent    => sub { '' },
    garbage   => sub { join '', map { chr int rand 256 } 1 .. 3000 },
    oversized => sub { pack('N', 0xffffffff) . 'x' x 3000 },
    truncated => sub { pack('N', 100) . 'x' x 10 },
);
my @held;
for (1 .. $count) {
    socket(my $peer, PF_UNIX, SOCK_STREAM, 0) or die "socket: $!";
    connect($peer, pack_sockaddr_un($path)) or next;
    my $word = $words{$kind}->();
    send($peer, $word, 0) if length $word;
    push @held, $peer;
}
open(my $file, '>', $mark) or die "$mark: $!";
close($file);
sleep 120;
