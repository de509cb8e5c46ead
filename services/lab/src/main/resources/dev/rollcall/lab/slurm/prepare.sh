#!/bin/sh
# prepare.sh DIRECTORY ETC [CONTROLLER PATH]...: lays Slurm's files, those of ETC
# or "none", over the machine's, inside a node's namespaces, and shows the node
# its own part of each cgroup v1 hierarchy where it would look for the whole.
set -eu
dir=$1
etc=$2
shift 2
if [ "$etc" = none ]; then
    mount -t tmpfs -o mode=755,nosuid,nodev tmpfs /etc/slurm
else
    mount --bind "$etc" /etc/slurm
fi
mount -t tmpfs -o mode=755,nosuid,nodev tmpfs /var/lib/slurm
mkdir /var/lib/slurm/slurmd
mkdir /var/lib/slurm/gpu
mount -t tmpfs -o mode=755,nosuid,noexec tmpfs /var/lib/slurm/gpu
for gpu in 0 1 2 3; do
    # A number for local use, which no driver has (Documentation/admin-guide/devices.txt).
    mknod -m 666 "/var/lib/slurm/gpu/gpu$gpu" c 240 "$gpu"
done
install -d -o slurm -g slurm -m 755 /var/lib/slurm/slurmctld /run/slurm
install -d -o slurm -g slurm -m 755 /var/log/slurm
install -d -o munge -g munge -m 755 /run/munge
install -o munge -g munge -m 400 "$dir/munge.key" /run/munge/key
while [ $# -gt 0 ]; do
    mount --bind "$2" "/sys/fs/cgroup/$1"
    shift 2
done
