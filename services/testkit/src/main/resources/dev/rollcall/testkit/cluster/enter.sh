#!/bin/sh
# enter.sh PID USER HOME CGROUP.PROCS... -- COMMAND...: runs COMMAND as USER in
# the cgroups named and in the namespaces of process PID, in place of itself.
set -eu
pid=$1 user=$2 home=$3
shift 3
while [ "$1" != -- ]; do
    echo $$ > "$1"
    shift
done
shift
set -- env -i "HOME=$home" "USER=$user" "LOGNAME=$user" LANG=C.UTF-8 \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"
if [ "$user" != root ]; then
    set -- setpriv --reuid "$user" --regid "$user" --init-groups --inh-caps=-all "$@"
fi
# setsid: Ctrl-C is for the one who raised the cluster, who then takes it down.
exec setsid nsenter -t "$pid" -m -u -i -n -- "$@"
