#!/bin/bash
# On an emulated machine of arm64: makes it a node by hand, and has users log in.
# Prints "ok NAME ..." or "DIFFERS NAME ..." for each scene.
# The processor is emulated: every wait is bounded, and long.
set -u
why=

differs() {
  why=$*
  return 1
}
as() { ssh -o ConnectTimeout=200 "$1@127.0.0.1" "$2" </dev/null 2>/run/said.ssh; }
cgroup() { as "$1" 'sed -n s/^0:://p /proc/self/cgroup'; }
rollcall() { /opt/rollcall/bin/rollcall "$@" --timeout 120 >/run/said 2>&1; }

agent_runs() {
  [[ $(uname -m) == aarch64 ]] || differs "the machine is $(uname -m)" || return 1
  bash /srv/rollcall-vm/node.sh >/run/said 2>&1 || differs "$(tail -n 5 /run/said)" || return 1
  [[ -S /run/rollcall/login.sock ]] || differs "there is no login socket"
}

# What the agent pins outlives it: programs, and the table of calls.
programs_are_loaded() {
  local pins
  pins=$(find /sys/fs/bpf/rollcall -type f 2>/dev/null | wc -l)
  ((pins >= 2)) || differs "$pins pins; the agent's log: $(journalctl -q --no-pager -n 20 -u rollcall-agent)"
}

login_is_adopted() {
  rollcall job begin 61 --user alice || differs "$(</run/said)" || return 1
  local in
  in=$(cgroup alice) || differs "alice, $?: $(</run/said.ssh)" || return 1
  [[ $in == */job_61/* ]] || differs "alice is in $in" || return 1
  ! as bob true || differs "bob, who has no job, came in"
}

container_is_joined() {
  as alice 'echo here >/tmp/mine' || differs "alice cannot write: $(</run/said.ssh)" || return 1
  [[ ! -e /tmp/mine ]] || differs "the file is in the /tmp of the node" || return 1
  [[ $(as alice 'cat /tmp/mine') == here ]] || differs "the next session has another /tmp: $(</run/said.ssh)"
}

job_ends() {
  rollcall job end 61 || differs "$(</run/said)" || return 1
  ! as alice true || differs "alice came in after her job"
}

play() { # NAME FUNCTION
  local began=$SECONDS
  why=
  if "$2"; then echo "ok      $1 ($((SECONDS - began)) s)"; else echo "DIFFERS $1 ($((SECONDS - began)) s): $why"; fi
}

play arm64-agent-runs agent_runs
play arm64-programs-loaded programs_are_loaded
play arm64-login-adopted login_is_adopted
play arm64-container container_is_joined
play arm64-job-ends job_ends
