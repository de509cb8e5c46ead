# shellcheck shell=bash
# Logins on a machine whose kernel enforces a policy: what the scripts of SELinux and of AppArmor share.
# The processor is emulated: every wait is bounded, and long.
why=

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
asks() { eventually 600 quietly /opt/rollcall/bin/rollcall "$@" --timeout 120; }
as() { ssh -o ConnectTimeout=200 "$1@127.0.0.1" "$2" </dev/null 2>/run/said.ssh; }
agent() { systemctl show -p MainPID --value rollcall-agent; }
active() { systemctl is-active --quiet rollcall-agent; }
cgroup() { as "$1" 'sed -n s/^0:://p /proc/self/cgroup'; }

in_job() { # USER JOB
  local in
  in=$(cgroup "$1") || differs "$1, $?: $(tail -n 1 /run/said.ssh) $(journalctl -q --no-pager -n 5 -o cat -t sshd)" || return 1
  [[ $in == */job_$2/* ]] || differs "$1 is in $in"
}

login_by_files() {
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

play() { # NAME FUNCTION
  local began=$SECONDS
  why=
  if "$2"; then echo "ok      $1 ($((SECONDS - began)) s)"; else echo "DIFFERS $1 ($((SECONDS - began)) s): $why"; fi
}
