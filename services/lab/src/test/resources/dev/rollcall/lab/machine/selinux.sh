#!/bin/bash
# On a machine whose kernel has Debian's SELinux policy: makes the machine a node by hand, installs the policy module, enforces the policy, and has users log in.
# Prints "ok NAME ..." or "DIFFERS NAME ..." for each scene.
set -u
# shellcheck disable=SC1091 # it is only in the machine
. /srv/rollcall-vm/policy-logins.sh
home=/opt/rollcall

type_of() { stat -c %C "$1" | cut -d: -f3; }
domain_of() { cut -d: -f3 "/proc/$1/attr/current" | tr -d '\0'; }

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
  [[ $(domain_of "$(agent)") == rollcall_t ]] || differs "the agent is in $(domain_of "$(agent)")" || return 1
  # As docs/install.md has it: what sshd makes in the private /tmp of a job is labelled as in any /tmp.
  install -d /var/lib/jobs && chcon -t tmp_t /var/lib/jobs
}

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
