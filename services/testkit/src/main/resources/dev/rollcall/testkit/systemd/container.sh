# shellcheck shell=sh
# A node that systemd runs, as a container on this machine: sh container.sh WORK CGROUP BIND...
#
# The root is this machine's own, under an overlay that is dropped at the end; of its units only journald and D-Bus start. Each BIND is a directory
# that has to be the same inside. It says "ready PID" (of systemd, as this machine numbers it) and lives until its standard input ends; then nothing
# of it is left. Controllers of cgroup v2 are those that CGROUP's parent hands down, none on a hybrid host.
set -eu

if [ "$1" = inside ]; then
  work=$2
  shift 2
  : >"$work/in"
  # Not a pipe: what systemd should inherit is nothing.
  until [ -e "$work/go" ]; do sleep 0.02; done
  mount -t tmpfs -o mode=755 rollcall "$work/fs"
  mkdir "$work/fs/upper" "$work/fs/work" "$work/fs/root"
  mount -t overlay -o "lowerdir=/,upperdir=$work/fs/upper,workdir=$work/fs/work" rollcall "$work/fs/root"
  root=$work/fs/root
  for directory in "$@"; do
    mkdir -p "$root$directory"
    mount --rbind "$directory" "$root$directory"
  done
  cd "$root"
  mount -t proc proc proc
  mount -t sysfs -o ro sysfs sys
  mount -t tmpfs -o mode=755 tmpfs run
  mount -t tmpfs -o mode=755,nosuid tmpfs dev
  # Settings of the kernel are the machine's.
  mount --bind proc/sys proc/sys
  mount -o remount,bind,ro proc/sys
  if [ -e proc/sysrq-trigger ]; then
    mount --bind proc/sysrq-trigger proc/sysrq-trigger
    mount -o remount,bind,ro proc/sysrq-trigger
  fi
  for device in null zero full random urandom tty; do
    : >"dev/$device"
    mount --bind "/dev/$device" "dev/$device"
  done
  mkdir dev/pts dev/shm
  mount -t devpts -o newinstance,ptmxmode=666,mode=620,gid=5 devpts dev/pts
  ln -s pts/ptmx dev/ptmx
  mount -t tmpfs tmpfs dev/shm
  ln -s /proc/self/fd dev/fd
  ln -s /proc/self/fd/0 dev/stdin
  ln -s /proc/self/fd/1 dev/stdout
  ln -s /proc/self/fd/2 dev/stderr
  mount -t cgroup2 cgroup2 sys/fs/cgroup
  mkdir -p run/rollcall-old
  hostname node1
  ip link set lo up
  : >etc/fstab
  echo node1 >etc/hostname
  # Nothing that this machine has enabled, and nothing that would set up a machine.
  rm -rf etc/systemd/system/* etc/systemd/system.conf.d lib/systemd/system/*.wants etc/systemd/system-generators lib/systemd/system-generators
  mkdir -p lib/systemd/system/sysinit.target.wants
  ln -s ../systemd-journald.service lib/systemd/system/sysinit.target.wants/systemd-journald.service
  printf '[Unit]\nRequires=basic.target dbus.socket\nAfter=basic.target dbus.socket\nAllowIsolate=yes\n' >etc/systemd/system/rollcall-test.target
  pivot_root . run/rollcall-old
  umount -l /run/rollcall-old
  rmdir /run/rollcall-old
  exec env -i container=rollcall PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb \
    /lib/systemd/systemd --system --unit=rollcall-test.target --log-target=journal --show-status=no
fi

work=$1
cgroup=$2
shift 2
mkdir -p "$work/fs" "$cgroup/node/guest" "$cgroup/supervisor"
# shellcheck disable=SC2013
for controller in $(cat "$cgroup/cgroup.controllers"); do
  echo "+$controller" >"$cgroup/cgroup.subtree_control"
done
node=
clean_up() {
  set +e
  [ -z "$node" ] || kill -9 "$node"
  echo 1 >"$cgroup/cgroup.kill"
  wait
  i=0
  while [ -d "$cgroup" ] && [ $i -lt 100 ]; do
    find "$cgroup" -depth -type d -exec rmdir {} +
    i=$((i + 1))
    sleep 0.05
  done
  rm -rf --one-file-system "$work"
} 2>/dev/null
trap clean_up EXIT

# Moves itself, by which the container's root is there, and is then moved out: systemd could hand no controller down beside it.
sh -c 'echo $$ >"$1" && shift && exec setsid "$@"' sh "$cgroup/node/cgroup.procs" \
  unshare --mount --net --pid --uts --ipc --cgroup --fork --kill-child --propagation private \
  sh "$0" inside "$work" "$@" </dev/null >"$work/log" 2>&1 &
node=$!

i=0
until [ -e "$work/in" ]; do
  [ $i -lt 500 ] && kill -0 "$node" 2>/dev/null || { cat "$work/log" >&2; exit 1; }
  i=$((i + 1))
  sleep 0.02
done
echo "$node" >"$cgroup/supervisor/cgroup.procs"
: >"$work/go"

i=0
leader=
until [ -n "$leader" ] && nsenter -t "$leader" -a systemctl is-active -q rollcall-test.target 2>/dev/null; do
  [ $i -lt 600 ] && kill -0 "$node" 2>/dev/null || { cat "$work/log" >&2; [ -z "$leader" ] || nsenter -t "$leader" -a systemctl list-jobs >&2; exit 1; }
  i=$((i + 1))
  sleep 0.1
  leader=$(head -n 1 "$cgroup/node/init.scope/cgroup.procs" 2>/dev/null || true)
done
echo "ready $leader"
read -r _ || true
