#!/bin/bash
# apparmor.sh [complain]: on a machine whose kernel has AppArmor: makes the machine a node by hand, gives sshd the profile that Debian has among its extra ones,
# with the lines of docs/install.md, enforces it, and has users log in. Prints "ok NAME ..." or "DIFFERS NAME ..." for each scene.
set -u
# shellcheck disable=SC1091 # it is only in the machine
. /srv/rollcall-vm/policy-logins.sh
home=/opt/rollcall

profile=/etc/apparmor.d/usr.sbin.sshd
mode=${1:-enforce}

denials() { dmesg | grep -E 'apparmor="(DENIED|ALLOWED)"' | sed -E 's/.*(apparmor=)/\1/; s/(pid|comm)=[^ ]* ?//g; s/[0-9]{2,}/N/g' | sort | uniq -c; }
profile_of() { cat "/proc/$1/attr/apparmor/current"; }
sshd() { systemctl show -p MainPID --value ssh; }

node_is_up() { quietly bash /srv/rollcall-vm/node.sh || differs "$(tail -n 5 /run/said)"; }

# The rules for internal-sftp let sshd read all files, and write its own: a site's profile need not have them.
profile_is_enforced() {
  local flags=attach_disconnected
  [[ $mode == enforce ]] || flags+=,$mode
  sed '/^ *\/ *r,$/d; /^ *\/\*\* *r,$/d; /^ *owner \/\*\* rwl,$/d' /usr/share/apparmor/extra-profiles/usr.sbin.sshd >$profile
  ! grep -qE '^ *(owner )?/\*\* ' $profile || differs "the rules for internal-sftp are still there" || return 1
  echo "include if exists \"$home/lib/apparmor/sshd\"" >/etc/apparmor.d/local/usr.sbin.sshd
  sed -i "s|^/usr/sbin/sshd {|/usr/sbin/sshd flags=($flags) {|" $profile
  quietly apparmor_parser -r $profile || differs "$(</run/said)" || return 1
  dmesg -C
  systemctl restart ssh
  [[ $(profile_of "$(sshd)") == "/usr/sbin/sshd ($mode)" ]] || differs "sshd is $(profile_of "$(sshd)")"
}

# Of what the module needs. The profile denies sshd other things, as it does without the module.
nothing_was_denied() {
  local denied
  denied=$(denials | grep -E 'rollcall|cgroup|nsfs|/ns/|sys_admin|sys_chroot|sys_resource|/proc/')
  [[ -z $denied ]] || differs "$denied"
}

# Without the lines the profile holds: no session gets around it.
lines_are_needed() {
  : >/etc/apparmor.d/local/usr.sbin.sshd
  quietly apparmor_parser -r $profile || differs "$(</run/said)" || return 1
  asks job begin 63 --user alice || differs "$(</run/said)" || return 1
  ! as alice true || differs "alice came in" || return 1
  grep -q 'Access denied by pam_rollcall' /run/said.ssh || differs "alice reads: $(</run/said.ssh)" || return 1
  asks job end 63 || differs "$(</run/said)"
}

play apparmor-node-is-up node_is_up
play apparmor-profile-enforced profile_is_enforced
play apparmor-login-by-files login_by_files
play apparmor-login-by-asking login_by_asking
play apparmor-no-job-refused user_without_job
play apparmor-container container_is_joined
play apparmor-key-agent-forwarded key_agent_is_forwarded
play apparmor-jobs-end jobs_end
play apparmor-nothing-denied nothing_was_denied
play apparmor-lines-needed lines_are_needed
[[ $mode == enforce ]] || denials
