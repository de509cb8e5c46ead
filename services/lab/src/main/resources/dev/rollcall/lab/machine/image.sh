#!/bin/bash
# image.sh kernel NAME: prints the package of the kernel that NAME, itself a package or one that depends on the newest, stands for.
# image.sh build FOLDER RELEASE KERNEL JDK GUEST SLURM PACKAGE...: makes root.img and vmlinuz in FOLDER, which is empty: this release of Debian with
# these packages, the modules that a test node needs, the JDK and GUEST, the script that the machine starts when it is up; in /srv/slurm the Slurm of the
# Debian release SLURM, or nothing for "-". All of it comes from where this machine's apt has its own, and the kernel is of this machine's release.
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8

# Drivers that are not built in, and what the test cluster, nftables, sock_diag(7) and podman's networks use; modprobe names what each needs.
modules='virtio_pci virtio_blk virtio_net overlay loop autofs4 veth bridge tun dummy inet_diag tcp_diag udp_diag unix_diag raw_diag
  nf_tables nft_ct nft_reject nft_reject_inet nft_fib_inet nf_conntrack nft_log nft_limit configfs
  quota_v2 xfs btrfs
  nft_compat nft_chain_nat nft_masq xt_comment xt_conntrack xt_mark xt_MASQUERADE xt_addrtype xt_multiport xt_nat'
off='apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer e2scrub_reap.service fstrim.timer systemd-timesyncd.service
  getty@tty1.service serial-getty@ttyS0.service systemd-pstore.service systemd-hwdb-update.service logrotate.timer man-db.timer
  nftables.service mariadb.service munge.service slurmd.service slurmctld.service slurmdbd.service'

fail() {
  echo "$*" >&2
  exit 1
}

concrete() {
  case $1 in linux-image-[0-9]*[0-9]-cloud-amd64 | linux-image-[0-9]*[0-9]-amd64)
    if [[ $1 =~ ^linux-image-[0-9]+\.[0-9]+\.[0-9]+ ]]; then
      echo "$1"
      return
    fi
    ;;
  esac
  # All of it is read: a reader that stops early makes apt-cache fail, and with it the pipe.
  apt-cache show --no-all-versions "$1" 2>/dev/null |
    awk '/^Depends:/ && match($0, /linux-image-[0-9][^ ,]*-amd64/) && !found { print substr($0, RSTART, RLENGTH); found = 1 }'
}

kernel() {
  local found
  found=$(concrete "$1" || true)
  if [[ -z $found ]]; then
    apt-get update -qq >/dev/null
    found=$(concrete "$1" || true)
  fi
  [[ -n $found ]] || fail "no kernel package stands behind $1: see apt-cache search --names-only 'linux-image-.*cloud-amd64'"
  echo "$found"
}

# One line of sources.list(5) for each suite of a release; of one that this machine's apt does not have, for the release itself.
sources() {
  local release=$1 lines mirror
  lines=$(apt-get indextargets --format '$(REPO_URI) $(CODENAME) $(COMPONENT)' 'Created-By: Packages' 2>/dev/null |
    awk -v r="$release" '$2 == r || index($2, r "-") == 1 { print "deb", $1, $2, $3 }' | sort -u)
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' 2>/dev/null | grep -v security | head -n 1 || true)
  [[ -n $lines ]] || lines="deb ${mirror:-http://deb.debian.org/debian} $release main"
  echo "$lines"
}

download() { (cd "$1" && apt-get download -q "$2" || { apt-get update -qq && apt-get download -q "$2"; }); }

take_kernel() {
  local folder=$1 package=$2 root=$3 release_name from name module
  mkdir -m 777 "$folder/download"
  download "$folder/download" "$package"
  mkdir "$folder/kernel"
  dpkg-deb -x "$folder"/download/*.deb "$folder/kernel"
  release_name=$(ls "$folder/kernel/lib/modules")
  from=$folder/kernel/lib/modules/$release_name
  depmod -b "$folder/kernel" "$release_name" # the package ships no modules.dep
  mkdir -p "$root/lib/modules/$release_name"
  cp "$from"/modules.{order,builtin,builtin.modinfo} "$root/lib/modules/$release_name/"
  for name in $modules; do
    modprobe -d "$folder/kernel" -S "$release_name" --show-depends "$name" 2>/dev/null || true
  done | awk '$1 == "insmod" { print $2 }' | sort -u | while read -r module; do
    install -D -m 644 "$module" "$root${module#"$folder/kernel"}"
  done
  depmod -b "$root" "$release_name"
  cp "$folder/kernel/boot/vmlinuz-$release_name" "$folder/vmlinuz"
}

take_jdk() {
  mkdir -p "$2/usr/lib/jvm/jdk-25"
  tar c -C "$1" --exclude=./lib/src.zip --exclude=./jmods --exclude=./man . | tar x -C "$2/usr/lib/jvm/jdk-25"
  ln -s /usr/lib/jvm/jdk-25/bin/java "$2/usr/local/bin/java"
}

# mmdebstrap with what all roots need. The lists of sid may be older than the time for which they are valid.
make_root() {
  local release=$1 root=$2 packages=$3 list=$4
  sources "$release" >"$list"
  mmdebstrap --variant=minbase --aptopt='Acquire::Check-Valid-Until "false"' --include="$packages" "$release" "$root" "$list"
}

# Slurm of another release, in a root of its own. Its daemons run by chroot; its commands run in the machine, for every user, by the loader and the
# libraries of that root. A link is where both look for plugins.
take_slurm() {
  local release=$1 root=$2 own=$2/srv/slurm command
  [[ $release != - ]] || return 0
  mkdir -p "$own"
  make_root "$release" "$own" slurmctld,slurmd,slurm-client "$root.sources.list"
  rm -rf "$own"/usr/share/{doc,man,locale,info} "$own"/var/cache/apt/* "$own"/var/lib/apt/lists/*
  ln -s /srv/slurm/usr/lib/x86_64-linux-gnu/slurm-wlm "$root/usr/lib/x86_64-linux-gnu/slurm-wlm"
  cat >"$root/usr/local/bin/slurm-command" <<'SH'
#!/bin/sh
libraries=/srv/slurm/usr/lib/x86_64-linux-gnu
exec /srv/slurm/lib64/ld-linux-x86-64.so.2 --library-path $libraries:$libraries/slurm-wlm "/srv/slurm/usr/bin/${0##*/}" "$@"
SH
  chmod 755 "$root/usr/local/bin/slurm-command"
  for command in sbatch scancel scontrol sinfo squeue; do ln -s slurm-command "$root/usr/local/bin/$command"; done
}

settle() {
  local root=$1 guest=$2 unit
  : >"$root/etc/machine-id"
  echo vm >"$root/etc/hostname"
  printf '127.0.0.1 localhost vm\n::1 localhost ip6-localhost\n' >"$root/etc/hosts"
  for unit in $off; do ln -sf /dev/null "$root/etc/systemd/system/$unit"; done
  install -m 755 "$guest" "$root/usr/local/sbin/rollcall-vm-guest"
  mkdir -p "$root/etc/systemd/system/multi-user.target.wants"
  cat >"$root/etc/systemd/system/rollcall-vm.service" <<'UNIT'
[Unit]
Description=Does what the host asks of this machine
After=ssh.service dbus.service systemd-logind.service multi-user.target
ConditionVirtualization=vm

[Service]
Type=exec
ExecStart=/usr/local/sbin/rollcall-vm-guest
# So that systemd has every controller enabled at the top of the tree for as long as the machine is up, as a site does for its jobs.
Delegate=yes
KillMode=process
TasksMax=infinity
OOMScoreAdjust=-900

[Install]
WantedBy=multi-user.target
UNIT
  ln -sf ../rollcall-vm.service "$root/etc/systemd/system/multi-user.target.wants/rollcall-vm.service"
  rm -rf "$root"/usr/share/{doc,man,locale,info} "$root"/var/cache/apt/* "$root"/var/lib/apt/lists/*
}

# The types of files, where a policy came along. The kernel here need not know SELinux: types are attributes of files, which mke2fs takes along.
label() {
  local root=$1 contexts=$1/etc/selinux/default/contexts/files/file_contexts
  [[ -s $contexts ]] || return 0
  sed -i 's/^SELINUX=.*/SELINUX=permissive/' "$root/etc/selinux/config"
  setfiles -F -r "$root" "$contexts" "$root"
}

build() {
  local folder=$1 release=$2 package=$3 jdk=$4 guest=$5 slurm=$6 root=$1/root
  shift 6
  local packages
  packages=$(IFS=,; echo "$*")
  make_root "$release" "$root" "$packages" "$folder/sources.list"
  take_slurm "$slurm" "$root"
  take_kernel "$folder" "$package" "$root"
  take_jdk "$jdk" "$root"
  settle "$root" "$guest"
  label "$root"
  truncate -s "$(($(du -sm "$root" | cut -f1) * 5 / 4 + 2048))M" "$folder/root.img"
  mke2fs -q -F -t ext4 -O ^has_journal -E lazy_itable_init=1,root_owner=0:0 -d "$root" "$folder/root.img"
  rm -rf "$root" "$folder/kernel" "$folder/download"
}

"$@"
