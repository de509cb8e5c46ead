#!/bin/sh
# enter.sh PID USER HOME CGROUP.PROCS... [--by=PROGRAM] --NAMESPACE=FILE... -- COMMAND...:
# runs COMMAND as USER in the cgroups named, in the namespaces of process PID, and there
# in those that are named, in place of itself. PROGRAM is rollcall-enter, by which USER
# joins them; without it root does.
set -eu
pid=$1 user=$2 home=$3
shift 3
by=
join=
while [ "$1" != -- ]; do
    case $1 in
    --by=*) by=${1#*=} ;;
    --*) join="$join $1" ;;
    *) echo $$ > "$1" ;;
    esac
    shift
done
shift
set -- env -i "HOME=$home" "USER=$user" "LOGNAME=$user" LANG=C.UTF-8 \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"
if [ -n "$by" ]; then
    # shellcheck disable=SC2046,SC2086
    set -- "$by" $(echo $join | tr '=' ' ') -- "$@"
    join=
fi
if [ "$user" != root ]; then
    set -- setpriv --reuid "$user" --regid "$user" --init-groups --inh-caps=-all "$@"
fi
# Paths of the agent's, without blanks.
# shellcheck disable=SC2086
[ -z "$join" ] || set -- nsenter $join -- "$@"
# setsid: Ctrl-C is for the one who raised the cluster, who then takes it down.
exec setsid nsenter -t "$pid" -m -u -i -n -- "$@"
