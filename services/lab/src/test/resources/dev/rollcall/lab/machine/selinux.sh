#!/bin/bash
# On a machine whose kernel has Debian's SELinux policy, permissive: installs the policy module, makes the machine a node by hand, and has a user log in.
# Prints "ok NAME ..." or "DIFFERS NAME ..." for each scene.
# The processor is emulated: every wait is bounded, and long.
set -u
why=

differs() {
  why=$*
  return 1
}
as() { ssh -o ConnectTimeout=200 "$1@127.0.0.1" "$2" </dev/null 2>/run/said.ssh; }
type_of() { stat -c %C "$1" | cut -d: -f3; }
module_is_taken() {
  [[ $(getenforce) == Permissive ]] || differs "SELinux is $(getenforce)" || return 1
  semodule -i /srv/rollcall-vm/rollcall.pp >/run/said 2>&1 || differs "$(</run/said)" || return 1
  semodule -l | grep -qx rollcall || differs "it is not listed"
}

node_is_up() {
  # What came along has no types yet.
  restorecon -RF /opt /root /srv /usr/lib/jvm
  bash /srv/rollcall-vm/node.sh >/run/said 2>&1 || differs "$(tail -n 5 /run/said)" || return 1
  restorecon -RF /etc/rollcall /etc/pam.d /etc/ssh /etc/passwd /etc/shadow /etc/group /etc/gshadow /home /usr/lib/x86_64-linux-gnu/security
  restorecon -RF /run/rollcall
  echo "the agent is $(ps -o label= -p "$(systemctl show -p MainPID --value rollcall-agent)"), sshd $(ps -o label= -p "$(systemctl show -p MainPID --value ssh)")"
  [[ $(type_of /run/rollcall/login.sock) == rollcall_runtime_t ]] || differs "login.sock is $(type_of /run/rollcall/login.sock)"
}

login() {
  local in
  in=$(as alice 'sed -n s/^0:://p /proc/self/cgroup') || differs "alice, $?: $(</run/said.ssh)" || return 1
  [[ $in == */job_61/* ]] || differs "alice is in $in"
}

permissive() {
  /opt/rollcall/bin/rollcall job begin 61 --user alice --timeout 120 >/run/said 2>&1 || differs "$(</run/said)" || return 1
  login
}

play() { # NAME FUNCTION
  local began=$SECONDS
  why=
  if "$2"; then echo "ok      $1 ($((SECONDS - began)) s)"; else echo "DIFFERS $1 ($((SECONDS - began)) s): $why"; fi
}

play selinux-module-is-taken module_is_taken
play selinux-node-is-up node_is_up
play selinux-permissive-login permissive
