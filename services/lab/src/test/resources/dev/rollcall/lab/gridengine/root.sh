#!/bin/bash
# root.sh FOLDER HOOKS INSIDE: makes a Debian 12 with Grid Engine in FOLDER/root, and runs the script INSIDE there, with namespaces of its own and
# with HOOKS where an installation has them.
set -euo pipefail
folder=$1 hooks=$2 inside=$3 root=$1/root
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' 2>/dev/null | grep -v security | head -n 1 || true)
trap 'rm -rf --one-file-system "$root"' EXIT
# The cluster is made later, in the namespaces, where the host has an address.
mmdebstrap --quiet --variant=minbase --include=gridengine-master,gridengine-exec,gridengine-client,hostname,iproute2,bsdutils \
  --essential-hook='echo gridengine-common shared/gridengineconfig boolean false | chroot "$1" debconf-set-selections' \
  --essential-hook='echo gridengine-master shared/gridengineconfig boolean false | chroot "$1" debconf-set-selections' \
  bookworm "$root" "${mirror:-http://deb.debian.org/debian}" >"$folder/root.log" 2>&1 || {
  tail -n 20 "$folder/root.log"
  exit 1
}
mkdir -p "$root"/opt/rollcall/{bin,lib}
cp -r "$hooks" "$root/opt/rollcall/lib/hooks"
install -m 755 "$inside" "$root/inside"
[[ -c $root/dev/null ]] || mknod -m 666 "$root/dev/null" c 1 3
[[ -c $root/dev/urandom ]] || mknod -m 666 "$root/dev/urandom" c 1 9
unshare --mount --uts --net --ipc --pid --fork --kill-child chroot "$root" /inside
