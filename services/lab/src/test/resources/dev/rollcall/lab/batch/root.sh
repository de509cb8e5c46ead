#!/bin/bash
# root.sh FOLDER HOOKS INSIDE RELEASE PACKAGES [OPTION...]: makes a Debian of that release with these packages in FOLDER/root, and runs the script INSIDE
# there, with namespaces of its own and with HOOKS where an installation has them. The options are mmdebstrap's.
set -euo pipefail
folder=$1 hooks=$2 inside=$3 release=$4 packages=$5 root=$1/root
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' 2>/dev/null | grep -v security | head -n 1 || true)
trap 'rm -rf --one-file-system "$root"' EXIT
# Sid's lists may be older than they say that they are good for. Without unsafe-io, half of the time is waiting for the disk.
mmdebstrap --quiet --variant=minbase --include="$packages,hostname,iproute2,bsdutils" --aptopt='Acquire::Check-Valid-Until "false"' \
  --dpkgopt=force-unsafe-io "${@:6}" "$release" "$root" "${mirror:-http://deb.debian.org/debian}" >"$folder/root.log" 2>&1 || {
  tail -n 20 "$folder/root.log"
  exit 1
}
mkdir -p "$root"/opt/rollcall/{bin,lib}
cp -r "$hooks" "$root/opt/rollcall/lib/hooks"
install -m 755 "$inside" "$root/inside"
[[ -c $root/dev/null ]] || mknod -m 666 "$root/dev/null" c 1 3
[[ -c $root/dev/urandom ]] || mknod -m 666 "$root/dev/urandom" c 1 9
# HTCondor makes mounts private from the root on, which needs a root that is a mount.
unshare --mount --uts --net --ipc --pid --fork --kill-child sh -euc 'mount --bind "$1" "$1"; exec chroot "$1" /inside' sh "$root"
