#!/bin/bash
# debian-root.sh [--keep FOLDER AS] RELEASE TREE WORD...: runs a command in a copy of the source tree TREE, in a chroot with a new Debian of that
# release. --keep copies a folder of that copy to the folder AS of TREE at the end. What `./rollcall demo --slurm` installs in the chroot is kept
# below /var/cache/rollcall-debian, until these packages, or the way to make it, change. `./rollcall --slurm VERSION` and NewUserTest use it.
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
keep='' keep_as=''
if [[ $1 == --keep ]]; then
  keep=$2 keep_as=$3
  shift 3
fi
release=$1 tree=$2
shift 2
cache=/var/cache/rollcall-debian
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' 2>/dev/null | grep -v security | head -n 1 || true)
mirror=${mirror:-http://deb.debian.org/debian}

# In ROOT, with this machine's kernel, files of devices, names and authorities: its registries may be behind a proxy of its own. ROOT is the root of its
# mount namespace, too: setns(2) puts a process there, so a chroot would be left by entering a namespace that was made in it.
# shellcheck disable=SC2317 # it is called in the namespaces, by its declaration
enter() {
  local root=$1
  shift
  mount --rbind "$root" "$root"
  cd "$root"
  mount -t proc proc proc
  mount --rbind /sys sys
  mount --rbind /dev dev
  cp /etc/resolv.conf /etc/hosts etc/
  mkdir -p .before
  pivot_root . .before
  umount -l .before
  rmdir .before
  exec chroot . env -i HOME=/root USER=root LANG=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"
}

# As a new user has it: minimal, and the launcher installs the rest. Sid's lists may be older than they say that they are good for.
make_root() {
  local root=$1
  mmdebstrap --quiet --variant=minbase --include=ca-certificates --aptopt='Acquire::Check-Valid-Until "false"' "$release" "$root" "$mirror"
  echo 'Acquire::Check-Valid-Until "false";' >"$root/etc/apt/apt.conf.d/99rollcall"
  echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/99rollcall" # without it, half of the time is waiting for the disk
  cp /usr/local/share/ca-certificates/*.crt "$root/usr/local/share/ca-certificates/" 2>/dev/null || true
  mkdir -p "$root/root/rollcall/services/lab"
  cp "$tree/rollcall" "$root/root/rollcall/"
  cp "$tree"/services/lab/*.sh "$root/root/rollcall/services/lab/"
  # There is nothing to build beside it, so it ends after the installation. In a pid namespace, so that no daemon of a package is left.
  unshare --mount --pid --fork --kill-child bash -euc "$(declare -f enter); enter \"\$@\"" sh "$root" \
    sh -c 'update-ca-certificates >/dev/null 2>&1; /root/rollcall/rollcall demo --slurm || true' >"$root.log" 2>&1
  chroot "$root" dpkg-query -W slurmdbd mariadb-server maven >/dev/null || {
    cat "$root.log" >&2
    exit 1
  }
  rm -rf "$root/var/cache/apt/archives"/*.deb
  mkdir -p "$root/root/rollcall/.jdk" # where the release has no JDK 25, the launcher has unpacked one there
}

made_by() {
  grep -E '^(build|demo|slurm)_packages=' "$tree/rollcall"
  declare -f enter make_root
  [[ $release != bookworm ]] || cat "$tree/services/lab/jdk.sh"
}
root=$cache/$release-$(made_by | sha256sum | cut -c1-16)
mkdir -p "$cache"
exec {lock}>"$cache/$release.lock"
flock "$lock"
if [[ ! -d $root ]]; then
  echo "rollcall: making a root with Debian $release in $root" >&2
  rm -rf "$cache/$release-"*
  make_root "$cache/$release-new" >&2
  mv "$cache/$release-new" "$root"
fi

rm -rf "$cache/run-$release."* # of a run that was killed
run=$(mktemp -d "$cache/run-$release.XXXXXX")
trap 'rm -rf "$run"' EXIT
mkdir -p "$run"/{root,up,work,m2,m2work,tree} "$HOME/.m2"
git -c safe.directory='*' -C "$tree" ls-files -z --cached --others --exclude-standard |
  (cd "$tree" && tar c --null --files-from - --ignore-failed-read 2>/dev/null) | tar x -C "$run/tree"
status=0
unshare --mount bash -euc "
  $(declare -f enter)
  cd \"\$1\"
  mount -t overlay overlay -o lowerdir=\"\$2\",upperdir=up,workdir=work root
  chmod 755 root/root # users of its clusters run the programs of the tree
  mkdir -p root/root/rollcall root/root/.m2
  mkdir -p tree/.jdk
  mount --bind \"\$2/root/rollcall/.jdk\" tree/.jdk
  mount --rbind tree root/root/rollcall
  mount -t overlay overlay -o lowerdir=\"\$HOME/.m2\",upperdir=m2,workdir=m2work root/root/.m2
  shift 2
  enter root sh -c 'cd /root/rollcall && exec \"\$@\"' sh \"\$@\"" sh "$run" "$root" "$@" {lock}>&- || status=$?
if [[ -n $keep && -d $run/tree/$keep ]]; then
  rm -rf "${tree:?}/$keep_as"
  mkdir -p "$(dirname "$tree/$keep_as")"
  mv "$run/tree/$keep" "$tree/$keep_as"
  echo "rollcall: its files are in $tree/$keep_as" >&2
fi
exit "$status"
