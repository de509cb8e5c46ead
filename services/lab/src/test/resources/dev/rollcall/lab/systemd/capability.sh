# shellcheck shell=sh
# capability.sh CAPABILITY SET NAMESPACES: does what the agent needs the capability for, with the
# bounding set (as setpriv takes it) and no more, and says what came of it. NAMESPACES is the
# program that makes the namespaces of jobs. User and group 1 are daemon's on every Debian.
set -eu
capability=$1 set=$2 namespaces=$3
home=$(mktemp -d)
pids=
cgroup=
finish() {
    for pid in $pids; do kill -9 "$pid" 2>/dev/null || :; done
    wait
    if [ -n "$cgroup" ]; then find "$cgroup" -depth -type d -exec rmdir {} +; fi
    rm -r "$home"
}
trap finish EXIT

# A process of a user's, in a mount namespace of its own; another in a user namespace.
user() {
    unshare --mount setpriv --reuid=1 --regid=1 --clear-groups sleep 60 &
    pids="$pids $!"
    until [ "$(cat /proc/$!/comm)" = sleep ]; do sleep 0.01; done
}
# Where a hierarchy is mounted, by its type and an option.
of() { awk -v type="$1" -v option="$2" '$3 == type && $4 ~ option { print $2; exit }' /proc/mounts; }
limited() { LC_ALL=C setpriv --no-new-privs --inh-caps=-all --bounding-set="$set" "$@" 2>&1 || :; }
tell() { limited sh -c "echo $1 | tee $2 && echo told"; }
# The process that is made outlives the program that made it.
create() {
    said=$(echo go | limited timeout 10 "$namespaces" create --mount "/proc/$!/ns/mnt" --name test "$@")
    pids="$pids $(echo "$said" | sed -n 's/^made //p')"
    echo "$said"
}

cd "$home"
case $capability in
CAP_SYS_ADMIN | CAP_SYS_CHROOT | CAP_SYS_PTRACE | CAP_NET_ADMIN | CAP_SYS_RESOURCE)
    user
    create --pid --net
    ;;
CAP_SETUID | CAP_SETGID | CAP_SETPCAP)
    user
    create --user --owner 1:1
    ;;
CAP_SETFCAP)
    unshare --user sleep 60 &
    pids=$!
    until [ "$(cat /proc/$!/comm)" = sleep ]; do sleep 0.01; done
    tell "0 0 1" /proc/$!/uid_map
    ;;
CAP_KILL)
    user
    limited sh -c "kill $! && echo killed"
    ;;
CAP_SYS_NICE)
    cpuset=$(of cgroup cpuset)
    if [ -z "$cpuset" ]; then
        cpuset=$(of cgroup2 "")
        echo +cpuset >"$cpuset/cgroup.subtree_control"
    fi
    cgroup=$(mktemp -d "$cpuset/rollcall-capability-XXXXXX")
    for file in cpuset.cpus cpuset.mems; do echo 0 >"$cgroup/$file"; done
    sleep 60 &
    pids=$!
    tell $! "$cgroup/cgroup.procs"
    ;;
CAP_DAC_OVERRIDE)
    cgroup=$(mktemp -d "$(of cgroup2 "")/rollcall-capability-XXXXXX")
    chown 1 "$cgroup/cgroup.procs"
    sleep 60 &
    pids=$!
    tell $! "$cgroup/cgroup.procs"
    ;;
CAP_CHOWN)
    mkdir private
    limited sh -c "chown 1:1 private && echo given"
    ;;
CAP_FOWNER)
    mkdir sticky
    touch sticky/left
    chown 1:1 sticky sticky/left
    chmod 1777 sticky
    limited sh -c "rm sticky/left && echo removed"
    ;;
*) echo "nothing is known of $capability" ;;
esac
