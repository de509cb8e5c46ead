#!/bin/bash
# Makes this machine a Slurm cluster of one node, on cgroup v2 under systemd, with Rollcall's hooks and without a database; "down" takes it away.
set -euo pipefail

state=/var/lib/rollcall-vm-slurm
# Slurm of another Debian release is in a root of its own (image.sh), where its daemons run with these files of the machine.
slurm_root=/srv/slurm
shared="/proc /sys /dev /run /tmp /home /opt/rollcall /etc/slurm /etc/passwd /etc/group /etc/hosts /etc/hostname $state /var/log/slurm"
[ -d $slurm_root ] || slurm_root=/ shared=''

share() {
  if [ -d "$1" ]; then mkdir -p "$slurm_root$1"; else touch "$slurm_root$1"; fi
  mount --rbind "$1" "$slurm_root$1"
  mount --make-rslave "$slurm_root$1" # or the end of this mount would be that of those below it in the machine
}

if [ "${1:-}" = down ]; then
  systemctl kill -s KILL '*slurmstepd.scope' || true # a job that a scene left would delay the stop by 90 s
  systemctl stop 'rollcall-vm-slurm*.service' rollcall-vm-munge.service '*slurmstepd.scope'
  ip link del slurm0
  for one in $shared; do umount -R -l "$slurm_root$one"; done
  rm -rf $state /etc/slurm/slurm.conf /etc/slurm/cgroup.conf
  exit
fi
id slurm >/dev/null 2>&1 || useradd --system --no-create-home slurm
install -d /etc/slurm
install -d -o slurm -g slurm -m 755 $state $state/slurmctld /var/log/slurm /run/slurm
install -d -m 755 $state/slurmd
memory=$(awk '/^MemTotal:/ { print int($2 / 1024 / 2) }' /proc/meminfo)
cat >/etc/slurm/slurm.conf <<CONF
ClusterName=vm
SlurmctldHost=$(hostname)(127.0.0.1)
SlurmUser=slurm
AuthType=auth/munge
CredType=cred/munge
MpiDefault=none
SwitchType=switch/none
ProctrackType=proctrack/cgroup
TaskPlugin=task/cgroup
PrologFlags=Contain
JobAcctGatherType=jobacct_gather/cgroup
JobAcctGatherFrequency=task=1
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
SlurmdParameters=config_overrides
SchedulerParameters=batch_sched_delay=0,sched_min_interval=0
MessageTimeout=100
SlurmdTimeout=0
SlurmctldTimeout=300
ReturnToService=2
KillWait=5
InactiveLimit=0
Prolog=/opt/rollcall/lib/slurm/prolog
Epilog=/opt/rollcall/lib/slurm/epilog
StateSaveLocation=$state/slurmctld
SlurmdSpoolDir=$state/slurmd
SlurmctldPidFile=/run/slurm/slurmctld.pid
SlurmdPidFile=/run/slurm/slurmd.pid
SlurmctldLogFile=/var/log/slurm/slurmctld.log
SlurmdLogFile=/var/log/slurm/slurmd.log
NodeName=$(hostname) NodeAddr=127.0.0.1 CPUs=2 RealMemory=$memory State=UNKNOWN
PartitionName=main Nodes=$(hostname) Default=YES MaxTime=INFINITE State=UP
CONF
cat >/etc/slurm/cgroup.conf <<CONF
CgroupPlugin=cgroup/v2
ConstrainCores=yes
ConstrainDevices=yes
ConstrainRAMSpace=yes
CONF

# getaddrinfo(3) finds nothing, not even 127.0.0.1, while no other address is configured (AI_ADDRCONFIG).
modprobe dummy numdummies=0
ip link add slurm0 type dummy
ip addr add 192.0.2.1/32 dev slurm0
ip link set slurm0 up

# Debian's units are off in this machine, so that it starts quickly; these are like them.
dd if=/dev/urandom of=/etc/munge/munge.key bs=1024 count=1 status=none
chown munge: /etc/munge/munge.key
chmod 400 /etc/munge/munge.key
systemd-run -q --unit rollcall-vm-munge -p User=munge -p RuntimeDirectory=munge -p RuntimeDirectoryMode=755 /usr/sbin/munged -F
for _ in $(seq 300); do [ ! -S /run/munge/munge.socket.2 ] || break; sleep 0.2; done
for one in $shared; do share "$one"; done
systemd-run -q --unit rollcall-vm-slurmctld -p LimitNOFILE=65536 /usr/sbin/chroot --userspec=slurm:slurm $slurm_root /usr/sbin/slurmctld -D
systemd-run -q --unit rollcall-vm-slurmd -p Delegate=yes -p KillMode=process -p LimitMEMLOCK=infinity -p TasksMax=infinity \
  /usr/sbin/chroot $slurm_root /usr/sbin/slurmd -D
for _ in $(seq 300); do
  [ "$(sinfo -h -o %t 2>/dev/null)" != idle ] || exit 0
  sleep 0.5
done
echo "the node of Slurm is $(sinfo -h -o '%t %E' 2>&1)" >&2
tail -n 20 /var/log/slurm/slurmctld.log /var/log/slurm/slurmd.log >&2
exit 1
