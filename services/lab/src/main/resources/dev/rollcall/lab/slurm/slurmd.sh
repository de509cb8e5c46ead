#!/bin/sh
# slurmd.sh ARGUMENT...: starts slurmd on a CPU whose new mount namespaces can
# be bound to files here. Since Linux 6.18 a CPU can number them lower than the
# node's own, and the mount fails with EINVAL (docs/containers.md).
set -eu
probe=/run/namespace-of-a-probe
: > "$probe"
cpu=$(($(nproc --all) - 1))
until taskset -c "$cpu" unshare --mount="$probe" true; do
    cpu=$((cpu - 1))
    [ "$cpu" -ge 0 ] || { echo "no CPU makes namespaces for files" >&2; exit 1; }
done
umount "$probe"
exec taskset -c "$cpu" slurmd "$@"
