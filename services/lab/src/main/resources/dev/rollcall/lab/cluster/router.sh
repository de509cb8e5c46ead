#!/bin/sh
# router.sh DIRECTORY: keeps the networks of a cluster, bridges in a network namespace of its own,
# routes between those on which it has an address, and translates addresses. It prints "up".
set -eu
ip -batch "$1/networks"
echo 1 > /proc/sys/net/ipv4/ip_forward
echo 1 > /proc/sys/net/ipv6/conf/all/forwarding
[ ! -s "$1/nat" ] || nft -f "$1/nat"
echo up
exec sleep infinity
