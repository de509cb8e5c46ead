#!/bin/bash
# image-arm64.sh kernel NAME, image-arm64.sh build FOLDER RELEASE KERNEL JDK GUEST PACKAGE...: as image.sh beside this, for arm64, with the release's own Java and
# kernel. JDK is not used.
# Packages are only unpacked, so that no program of arm64 runs here: that would take half an hour. Their scripts do not run, and prepare() replaces them.
set -euo pipefail
# shellcheck source=/dev/null
. "$(dirname "$(readlink -f "$0")")/image.sh" : # a word, because it runs its words

release=trixie # of which the kernel is asked for
# pci-serial has lines as a PC has them, so that guest.sh fits both.
modules+=' 8250_pci'

# apt with a state of its own, which installs nothing here.
foreign() {
  local folder=$1
  shift
  mkdir -p "$folder/apt/lists/partial" "$folder/apt/cache/archives/partial"
  : >"$folder/apt/status"
  sources "$release" >"$folder/sources.list"
  LC_ALL=C apt-get -q -y -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o "Dir::State=$folder/apt" -o "Dir::State::status=$folder/apt/status" \
    -o "Dir::Cache=$folder/apt/cache" -o "Dir::Etc::SourceList=$folder/sources.list" -o Dir::Etc::SourceParts=/dev/null -o APT::Sandbox::User=root \
    -o Acquire::Languages=none "$@"
}

kernel() {
  local folder
  folder=$(mktemp -d)
  foreign "$folder" update >/dev/null
  foreign "$folder" -s install --no-install-recommends "$1" | sed -n 's/^Inst \(linux-image-[0-9][^ ]*\) .*/\1/p' | head -n 1
  rm -rf "$folder"
}

download() {
  foreign "$(dirname "$1")" update
  (cd "$1" && foreign "$(dirname "$1")" download "$2")
}

# Debian 13 has the modules of kernels in usr/lib alone.
dpkg-deb() {
  command dpkg-deb "$@"
  ln -s usr/lib "$3/lib"
}

# The scripts of packages, in part: users, the PAM stacks, sshd, and the units that start at boot.
prepare() {
  local root=$1 kind
  cp "$root/usr/share/base-passwd/passwd.master" "$root/etc/passwd"
  cp "$root/usr/share/base-passwd/group.master" "$root/etc/group"
  systemd-sysusers --root="$root"
  for kind in auth account password session session-noninteractive; do
    printf '%s\trequired\tpam_unix.so\n' "${kind%-noninteractive}" >"$root/etc/pam.d/common-$kind"
  done
  echo "session optional pam_systemd.so" >>"$root/etc/pam.d/common-session"
  cp "$root/usr/share/openssh/sshd_config" "$root/etc/ssh/sshd_config"
  ssh-keygen -q -A -f "$root"
  install -d -m 700 "$root/root/.ssh"
  ln -sf gawk "$root/usr/bin/awk"
  mkdir -p "$root/etc/systemd/system/multi-user.target.wants"
  ln -s /usr/lib/systemd/system/ssh.service "$root/etc/systemd/system/multi-user.target.wants/ssh.service"
  # Built in are the drivers of the disk and the lines; these are modules.
  printf 'virtio_blk\n' >"$root/etc/modules-load.d/rollcall-vm.conf"
}

take_java() {
  mkdir -p "$1"/usr/local/{bin,sbin}
  ln -s java-25-openjdk-arm64 "$1/usr/lib/jvm/jdk-25"
  ln -sf /usr/lib/jvm/jdk-25/bin/java "$1/usr/local/bin/java"
}

build() {
  local folder=$1 release=$2 package=$3 guest=$5 root=$1/root
  shift 6
  local packages
  packages=$(IFS=,; echo "$*")
  sources "$release" >"$folder/sources.list"
  mmdebstrap --arch=arm64 --variant=extract --skip=check/qemu --include="$packages" "$release" "$root" "$folder/sources.list"
  take_kernel "$folder" "$package" "$root"
  prepare "$root"
  take_java "$root"
  settle "$root" "$guest"
  truncate -s "$(($(du -sm "$root" | cut -f1) * 5 / 4 + 1024))M" "$folder/root.img"
  mke2fs -q -F -t ext4 -O ^has_journal -E lazy_itable_init=1,root_owner=0:0 -d "$root" "$folder/root.img"
  rm -rf "$root" "$folder/kernel" "$folder/download" "$folder/apt"
}

"$@"
