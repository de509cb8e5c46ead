#!/bin/sh
# node.sh NAME DIRECTORY CGROUP HOSTNAME: the first process of a node, started in namespaces of its own
# (network, mount, uts, ipc). It gives the node its files, waits until its network cards are there,
# starts sshd, and then only keeps the namespaces alive. It prints "namespaced" and "up".
set -eu
node=$1 dir=$2 cgroup=$3

hostname "$4"
mount -t tmpfs -o mode=755,nosuid,nodev tmpfs /run
mkdir -m 755 /run/sshd /run/lock
: > /run/utmp
# A copy: a package that is installed on the machine meanwhile replaces files of its /etc.
mount -t tmpfs -o mode=755,nosuid,nodev tmpfs /etc
cp -a "$dir/etc/." "$dir/$node/etc/." /etc/
mount --bind "$dir/$node/log" /var/log
mount --bind "$dir/home" /home
# Where the machine has a bpffs, a node must not find another node's pins in it.
if mountpoint -q /sys/fs/bpf; then
    mount -t bpf bpf /sys/fs/bpf
fi
# What the agent keeps is on a file system of its own, which a test can fill.
mkdir -p "$dir/$node/disk"
mount -t tmpfs -o size=16m,mode=755 tmpfs "$dir/$node/disk"
# A boot of its own: what is in this file is replaced at a reboot. The kernel lets a user namespace mount a /proc only where one is in sight
# that nothing covers (mount_too_revealing, fs/namespace.c), so there is another.
mkdir /run/uncovered-proc
mount -t proc proc /run/uncovered-proc
cat /proc/sys/kernel/random/uuid > "$dir/$node/disk/boot_id"
mount --bind "$dir/$node/disk/boot_id" /proc/sys/kernel/random/boot_id
echo namespaced

read -r _
ip link set lo up
ip -batch "$dir/$node/network"

sh -c 'echo $$ > "$1"; exec /usr/sbin/sshd -D -f /etc/ssh/sshd_config -E /var/log/sshd.log' \
    sh "$cgroup/sshd/cgroup.procs" &
tries=500
until [ -s /run/sshd.pid ]; do
    tries=$((tries - 1))
    [ "$tries" -gt 0 ] || { echo "sshd does not listen" >&2; exit 1; }
    sleep 0.02
done
echo up
exec sleep infinity
