#!/bin/bash
# Starts Grid Engine on one host with the hooks, and a stand-in for the command that they call. Runs a job, an array of two, and a job while the
# command fails. Prints what the command was asked, the job's error file, and the states of the queue.
export SGE_ROOT=/var/lib/gridengine SGE_CELL=default LC_ALL=C.UTF-8
hooks=/opt/rollcall/lib/hooks/gridengine
mount -t proc proc /proc
mount -t sysfs sysfs /sys
ip link set lo up
ip addr add 10.99.0.1/24 dev lo
hostname node1
printf '127.0.0.1 localhost\n10.99.0.1 node1\n' >/etc/hosts
printf 'passwd: files\ngroup: files\nshadow: files\nhosts: files\nservices: files\nprotocols: files\n' >/etc/nsswitch.conf
useradd -m alice
cat >/opt/rollcall/bin/rollcall <<'END'
#!/bin/sh
echo "uid $(id -u): $*" >>/tmp/asked
[ ! -e /tmp/away ] || { echo "rollcall: no agent answers" >&2; exit 5; }
END
chmod 755 /opt/rollcall/bin/rollcall

{
  install -d -o sgeadmin -g sgeadmin /var/spool/gridengine/{spooldb,qmaster,qmaster/job_scripts}
  su -s /bin/sh -c "/usr/share/gridengine/scripts/init_cluster $SGE_ROOT $SGE_CELL /var/spool/gridengine/spooldb sgeadmin" sgeadmin
  sge_qmaster
  for _ in {1..30}; do qconf -sh && break; sleep 1; done
  qconf -am root
  qconf -ah node1
  qconf -as node1
  for name in load_scaling complex_values user_lists xuser_lists projects xprojects usage_scaling report_variables; do echo "$name NONE"; done |
    sed '1i hostname node1' >/tmp/host
  qconf -Ae /tmp/host
  qconf -sq | sed -e 's/^qname .*/qname all.q/; s/^hostlist .*/hostlist node1/; s/^slots .*/slots 4/; s/^load_thresholds .*/load_thresholds NONE/' \
    -e 's/^pe_list .*/pe_list NONE/; s/^ckpt_list .*/ckpt_list NONE/; s#^shell .*#shell /bin/sh#' \
    -e "s#^prolog .*#prolog root@$hooks/prolog \$job_id \$ja_task_id \$job_owner#; s#^epilog .*#epilog root@$hooks/epilog \$job_id \$ja_task_id \$job_owner#" >/tmp/queue
  qconf -Aq /tmp/queue
  sge_execd
} >/tmp/setup.log 2>&1

submit() { su alice -s /bin/sh -c "cd; qsub -b y $*" >>/tmp/setup.log 2>&1; }
all_ended() {
  for _ in {1..60}; do [[ -z $(qstat -u '*') ]] && return; sleep 1; done
  cat /tmp/setup.log
  qstat -f
}
submit -N one /bin/sleep 1
submit -t 1-2 /bin/sleep 1
all_ended
touch /tmp/away
submit -N away /bin/sleep 1
all_ended
sort /tmp/asked
cat /home/alice/away.e*
echo "state of the queue: '$(qstat -f | awk '/all.q@node1/ { print $6 }')'"
