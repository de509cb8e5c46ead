#!/bin/bash
# Starts a pool of HTCondor on one host with the lines of the page, $CONFIGURATION, and a stand-in for the command that the hook calls. Runs a job, a
# cluster of two, a job while the command fails, one whose daemon is killed, one in a directory that is its owner's, and one at whose time HTCondor
# stops. Prints the states of the jobs and of the pool before that, and of each job as whom it ran, where, and what the command was asked.
export LC_ALL=C.UTF-8
mount -t proc proc /proc
mount -t sysfs sysfs /sys
ip link set lo up
ip addr add 10.99.0.1/24 dev lo
hostname node1
printf '127.0.0.1 localhost\n10.99.0.1 node1\n' >/etc/hosts
printf 'passwd: files\ngroup: files\nshadow: files\nhosts: files\n' >/etc/nsswitch.conf
install -d -o condor -g condor /run/condor /run/lock/condor
useradd -m -u 40001 alice
cat >/opt/rollcall/bin/rollcall <<'END_OF_COMMAND'
#!/bin/sh
echo "uid $(id -u): $*" >>/srv/asked
[ ! -e /srv/away ] || { echo "rollcall: no agent answers" >&2; exit 5; }
END_OF_COMMAND
# It runs until its begin was reported and it may end. Its /tmp is its own.
cat >/usr/local/bin/job <<'END_OF_JOB'
#!/bin/sh
folder=${_CONDOR_SCRATCH_DIR%/scratch}
pid=${folder##*/dir_}
echo "$1 $pid $(id -un) $_CONDOR_SCRATCH_DIR" >>/srv/ran
for _ in $(seq 60); do
  grep -q " begin $pid " /srv/asked && [ ! -e "/srv/keep-$1" ] && exit
  sleep 0.5
done
END_OF_JOB
chmod 755 /opt/rollcall/bin/rollcall /usr/local/bin/job
touch /srv/asked /srv/ran
chmod 666 /srv/ran

printf '%s\n' 'CONDOR_HOST = node1' 'DAEMON_LIST = MASTER COLLECTOR NEGOTIATOR SCHEDD STARTD' 'NUM_CPUS = 4' \
  'NEGOTIATOR_INTERVAL = 1' 'NEGOTIATOR_CYCLE_DELAY = 1' 'NEGOTIATOR_MIN_INTERVAL = 1' >/etc/condor/config.d/10-node
echo "$CONFIGURATION" >/etc/condor/config.d/20-rollcall
condor_master

await() {
  for _ in {1..120}; do "$@" && return; sleep 0.5; done
  echo "it never held: $*"
  tail -n 20 /srv/setup.log /home/alice/*.log /var/log/condor/{Master,Start,Sched}Log /var/log/condor/StarterLog.slot* 2>/dev/null
}
ready() { [[ -n $(condor_status -af Name 2>/dev/null) ]] && condor_q >/dev/null 2>&1; }
submit() {
  printf '%s\n' 'executable = /usr/local/bin/job' "arguments = $1.\$(Process)" "error = $1.err" "log = $1.log" "queue ${2:-1}" |
    su alice -s /bin/sh -c 'cd; condor_submit' >>/srv/setup.log 2>&1
}
begun() { grep -q " begin $(awk -v name="$1" '$1 == name { print $2 }' /srv/ran) " /srv/asked; }
ended() { [[ $(wc -l </srv/ran) == "$1" && $(grep -c ' job end ' /srv/asked) == "$1" && -z $(condor_q -all -af ClusterId) ]]; }
daemon() { sed -n 's#.*Started process "/opt/rollcall/.*, pid and pgroup = ##p' /var/log/condor/MasterLog; }

await ready
submit one
submit two 2
await ended 3
touch /srv/away
submit away
await ended 4
rm /srv/away
touch /srv/keep-killed.0
submit killed
await begun killed.0
kill -KILL "$(daemon)"
rm /srv/keep-killed.0
await ended 5
echo 'STARTER_NESTED_SCRATCH = False' >/etc/condor/config.d/30-flat
submit flat
await ended 6

condor_history -format "job %d" ClusterId -format ".%d: " ProcId -format "state %d, " JobStatus -format "status %d\n" ExitCode | sort
condor_status -af Name State | head -n 1

touch /srv/keep-stopped.0
submit stopped
await begun stopped.0
condor_off -master >>/srv/setup.log 2>&1
await grep -q 'EXITING WITH STATUS' /var/log/condor/MasterLog
sort /srv/ran | while read -r name pid user folder; do
  echo "$name, by $user in $folder" | sed "s/_$pid\b/_PID/"
  sed -n "s/\b$pid\b/PID/p" /srv/asked
done
grep -vwf <(cut -d ' ' -f 2 /srv/ran) /srv/asked
