#!/bin/bash
# On a machine whose kernel has Debian's SELinux policy: makes the machine a node by hand, installs the policy module, enforces the policy, and has users log in.
# Prints "ok NAME ..." or "DIFFERS NAME ..." for each scene.
# The processor is emulated: every wait is bounded, and long.
set -u
why=
home=/opt/rollcall

differs() {
  why=$*
  return 1
}
eventually() { # SECONDS COMMAND...
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    ((SECONDS < end)) || return 1
    sleep 0.5
  done
}
quietly() { "$@" >/run/said 2>&1; }
asks() { eventually 600 quietly $home/bin/rollcall "$@" --timeout 120; }
as() { ssh -o ConnectTimeout=200 "$1@127.0.0.1" "$2" </dev/null 2>/run/said.ssh; }
type_of() { stat -c %C "$1" | cut -d: -f3; }
agent() { systemctl show -p MainPID --value rollcall-agent; }
domain_of() { cut -d: -f3 "/proc/$1/attr/current" | tr -d '\0'; }
active() { systemctl is-active --quiet rollcall-agent; }
cgroup() { as "$1" 'sed -n s/^0:://p /proc/self/cgroup'; }

# To the agent; of what it made; and to sshd where the module needs it. Of other denials sshd has some with each login. The kernel's log has them,
# because no audit daemon runs. This script may do all, and is logged only.
denials() {
  dmesg | grep 'avc: *denied' | grep -v 'scontext=[^ ]*:initrc_t:' |
    grep -E 'scontext=[^ ]*:rollcall_t:|tcontext=[^ ]*:(rollcall_[a-z]*_t|rollcall_t|cgroup_t|nsfs_t):|{ [^}]*(sys_admin|sys_chroot|sys_resource)[^}]*}.*:sshd_t:'
}

node_is_up() {
  # What came along has no types yet.
  restorecon -RF /opt /root /srv /usr/lib/jvm
  quietly bash /srv/rollcall-vm/node.sh || differs "$(tail -n 5 /run/said)" || return 1
  restorecon -RF /etc/rollcall /etc/pam.d /etc/ssh /etc/passwd /etc/shadow /etc/group /etc/gshadow /etc/systemd /home /usr/lib/x86_64-linux-gnu/security
}

# As on a node that has run in permissive mode until now: the agent has no domain of its own, and gets one.
policy_is_installed() {
  [[ $(domain_of "$(agent)") == initrc_t ]] || differs "before, the agent is in $(domain_of "$(agent)")" || return 1
  quietly $home/lib/selinux/policy install || differs "$(</run/said)" || return 1
  semodule -l | grep -qx rollcall || differs "it is not listed" || return 1
  eventually 300 active || differs "the agent does not run" || return 1
  [[ $(domain_of "$(agent)") == rollcall_t ]] || differs "the agent is in $(domain_of "$(agent)")" || return 1
  [[ $(type_of /run/rollcall/login.sock) == rollcall_runtime_t ]] || differs "login.sock is $(type_of /run/rollcall/login.sock)"
}

# This script is systemd's service, so initrc_t, which may not use the keys of root. Nothing that is tested is in that domain.
policy_is_enforced() {
  echo '(typepermissive initrc_t)' >/run/script.cil
  # dontaudit rules hide denials: without them the log has all.
  quietly semodule -D -i /run/script.cil || differs "$(</run/said)" || return 1
  dmesg -C
  setenforce 1
  [[ $(getenforce) == Enforcing ]] || differs "SELinux is $(getenforce)" || return 1
  quietly systemctl restart rollcall-agent || differs "$(journalctl -q --no-pager -n 20 -u rollcall-agent)" || return 1
  [[ $(domain_of "$(agent)") == rollcall_t ]] || differs "the agent is in $(domain_of "$(agent)")"
}

in_job() { # USER JOB
  local in
  in=$(cgroup "$1") || differs "$1, $?: $(</run/said.ssh)" || return 1
  [[ $in == */job_$2/* ]] || differs "$1 is in $in"
}

login_by_files() {
  # As docs/install.md has it: what sshd makes in the private /tmp of a job is labelled as in any /tmp.
  install -d /var/lib/jobs && chcon -t tmp_t /var/lib/jobs
  asks job begin 61 --user alice || differs "$(</run/said)" || return 1
  in_job alice 61 || return 1
  # pam_systemd moves the process between the phases, and the module then needs the agent.
  sed -i /pam_systemd/d /etc/pam.d/common-session
  # Files are all that there is now.
  systemctl stop rollcall-agent
  in_job alice 61
  local held=$?
  quietly systemctl start rollcall-agent || differs "$(journalctl -q --no-pager -n 20 -u rollcall-agent)" || return 1
  return $held
}

# Users may have several jobs: the module then needs the agent.
login_by_asking() {
  asks job begin 62 --user alice || differs "$(</run/said)" || return 1
  in_job alice 62
}

user_without_job() {
  ! as bob true || differs "bob, who has no job, came in" || return 1
  grep -q 'no active jobs' /run/said.ssh || differs "bob reads: $(</run/said.ssh)"
}

container_is_joined() {
  as alice 'echo here >/tmp/mine && cat /tmp/mine' >/run/said || differs "alice cannot write: $(</run/said.ssh)" || return 1
  [[ ! -e /tmp/mine ]] || differs "the file is in the /tmp of the node" || return 1
  [[ $(as alice 'cat /tmp/mine') == here ]] || differs "the next session has another /tmp: $(</run/said.ssh)"
}

key_agent_is_forwarded() {
  local status
  eval "$(ssh-agent -s)" >/dev/null
  ssh -A -o ConnectTimeout=200 alice@127.0.0.1 'test -S "$SSH_AUTH_SOCK"' </dev/null 2>/run/said.ssh
  status=$?
  kill "$SSH_AGENT_PID"
  ((status == 0)) || differs "alice has no socket of a key agent: $(</run/said.ssh)"
}

jobs_end() {
  ssh -o ConnectTimeout=200 alice@127.0.0.1 'exec sleep 86400' </dev/null >/dev/null 2>&1 &
  eventually 200 pgrep -u alice -x sleep >/dev/null || differs "alice's session does not come" || return 1
  asks job end 62 || differs "$(</run/said)" || return 1
  eventually 100 gone || differs "the session of the job is still there" || return 1
  asks job end 61 || differs "$(</run/said)"
}
gone() { ! pgrep -u alice -x sleep >/dev/null; }

nothing_was_denied() {
  local denied
  denied=$(denials | sed 's/.*avc: *//' | sort -u)
  [[ -z $denied ]] || differs "$denied"
}

all_is_removed() {
  sed -i '/pam_rollcall/d' /etc/pam.d/sshd
  quietly $home/bin/rollcall uninstall --end-jobs || differs "$(</run/said)" || return 1
  quietly $home/lib/selinux/policy remove || differs "$(</run/said)" || return 1
  ! semodule -l | grep -qx rollcall || differs "the module is still listed" || return 1
  [[ $(type_of $home/bin/rollcall) == bin_t ]] || differs "the launcher is $(type_of $home/bin/rollcall)" || return 1
  local in
  in=$(cgroup bob) || differs "bob: $(</run/said.ssh)" || return 1
  [[ $in != *job_* ]] || differs "bob is in $in"
}

play() { # NAME FUNCTION
  local began=$SECONDS
  why=
  if "$2"; then echo "ok      $1 ($((SECONDS - began)) s)"; else echo "DIFFERS $1 ($((SECONDS - began)) s): $why"; fi
}

play selinux-node-is-up node_is_up
play selinux-policy-installed policy_is_installed
play selinux-policy-enforced policy_is_enforced
play selinux-login-by-files login_by_files
play selinux-login-by-asking login_by_asking
play selinux-no-job-refused user_without_job
play selinux-container container_is_joined
play selinux-key-agent-forwarded key_agent_is_forwarded
play selinux-jobs-end jobs_end
play selinux-nothing-denied nothing_was_denied
play selinux-removed all_is_removed
