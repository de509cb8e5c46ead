#!/bin/sh
# node.sh NAME DIRECTORY V4 V6 CGROUP [MEMBER-V4]: the first process of a node, started in
# namespaces of its own (network, mount, uts, ipc). It gives the node its
# files, waits until its network card is there, starts sshd, and then
# only keeps the namespaces alive. It says "namespaced" and "up" on stdout.
set -eu
node=$1 dir=$2 v4=$3 v6=$4 cgroup=$5 member=${6:-}

hostname "$node"
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
# nodad: an address that is still being probed cannot be bound or called from.
ip -batch - <<EOF
link set lo up
link set eth0 up
addr add $v4/24 dev eth0
addr add $v6/64 dev eth0 nodad
EOF
# A gateway of several has a second card, for the grid.
if [ -n "$member" ]; then
    ip link set eth1 up
    ip addr add "$member/24" dev eth1
fi

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
