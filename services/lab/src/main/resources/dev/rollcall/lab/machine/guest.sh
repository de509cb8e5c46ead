#!/bin/bash
# What the machine does when it is up: unpacks what the host gave it, runs the host's command, gives back its output (ttyS1, QEMU's own), its results
# (a tar on a disk) and its exit status (ttyS2), and powers off.
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 JAVA_HOME=/usr/lib/jvm/jdk-25
for line in 1 2; do stty -F /dev/ttyS$line raw -echo; done

tell() {
  echo "$*" >/dev/ttyS2
  stty -F /dev/ttyS2 raw -echo # waits until the line is drained
}

# A disk is there when udev has named it: at most a minute.
disk() {
  local path=/dev/disk/by-id/virtio-$1 tries=600
  until [ -e "$path" ]; do
    tries=$((tries - 1))
    [ $tries -gt 0 ] || {
      tell "FAILED no disk $1"
      systemctl poweroff -f -f
    }
    sleep 0.1
  done
  echo "$path"
}

# In a leaf of this unit's own delegated cgroup: what is started here may make cgroups beside it.
own=/sys/fs/cgroup$(sed -n 's/^0:://p' /proc/self/cgroup)
if [ -d "$own" ] && mkdir -p "$own/command" 2>/dev/null; then echo $$ >"$own/command/cgroup.procs"; fi

tar xf "$(disk payload)" -C / || tell "FAILED payload"
export ROLLCALL_VM_RESULTS=/run/rollcall-vm-results
mkdir -p $ROLLCALL_VM_RESULTS
card=$(find /sys/class/net -name 'e*' | sort | head -1)
if [ -n "$card" ]; then
  ip addr add 10.0.2.15/24 dev "${card##*/}"
  ip link set "${card##*/}" up
fi
# Beside an emulated processor a minute is short.
systemctl is-system-running --wait >/dev/null 2>&1
tell "READY $(cut -d' ' -f1 /proc/uptime)"
cd /root || exit
bash /srv/rollcall-vm/command </dev/null >/dev/ttyS1 2>&1
status=$?
stty -F /dev/ttyS1 raw -echo
tar cf "$(disk results)" -C $ROLLCALL_VM_RESULTS . 2>/dev/null || tell "FAILED results"
sync
tell "EXIT $status $(cut -d' ' -f1 /proc/uptime)"
systemctl poweroff -f -f
