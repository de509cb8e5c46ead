#!/bin/bash
# Plays what docs/install.md tells, on a machine or in a container that node.sh has made a node by hand: takes that away, installs the packages, upgrades under a live
# session to later packages, is refused removals that would lock people out, and removes all of it. Prints "ok NAME ..." or "DIFFERS NAME ..." for each scene.
# The processor is emulated: every wait is bounded, and long.
# packages.sh rpm: the same of .rpm packages, by rpm alone. dnf would look for what they depend on.
set -u
kind=${1:-deb}
packages=/srv/rollcall-vm/packages
later=/srv/rollcall-vm/packages-later
module=pam_rollcall.so
[[ $kind == deb ]] || module=/usr/lib64/security/pam_rollcall.so
export DEBIAN_FRONTEND=noninteractive
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
# An agent closes what says nothing for some seconds, which an emulated command may need before its first word.
asks() { eventually 600 quietly rollcall "$@" --timeout 120; }
as() { ssh -o ConnectTimeout=200 "$1@127.0.0.1" "$2" </dev/null 2>/run/said.ssh; }
active() { systemctl is-active --quiet "$1"; }
gone() { ! kill -0 "$1" 2>/dev/null; }
cgroup_of() { sed -n s/^0:://p "/proc/$1/cgroup"; }
pam_lines() {
  sed -i '/pam_rollcall/d' /etc/pam.d/sshd
  [[ $1 == out ]] || {
    sed -i '/^@include common-account/a account    required     '"$module"' timeout_ms=5000' /etc/pam.d/sshd
    echo "session    required     $module timeout_ms=5000" >>/etc/pam.d/sshd
  }
}
install_all() { # FOLDER
  case $kind in
    deb) apt-get install -y --no-install-recommends -o Dpkg::Options::=--force-confold "$1"/*.deb ;;
    # On RHEL nothing is started at the installation.
    rpm) rpm -i --nodeps "$1"/*.rpm && systemctl enable --now rollcall-agent rollcall-gateway ;;
  esac
}
upgrade_all() { # FOLDER
  case $kind in
    deb) dpkg --force-confold -i "$1"/*.deb ;;
    rpm) rpm -U --nodeps "$1"/*.rpm ;;
  esac
}
remove() { # PACKAGE
  case $kind in
    deb) dpkg -r --force-depends "$1" ;;
    rpm) rpm -e --nodeps "${1/libpam-rollcall/pam_rollcall}" ;;
  esac
}
remove_all() {
  # shellcheck disable=SC2046
  case $kind in
    deb) apt-get purge -y 'rollcall*' libpam-rollcall ;;
    # What an administrator changed stays beside its place.
    rpm) rpm -e --nodeps $(rpm -qa '*rollcall*') && rm -f /etc/rollcall/*.rpmsave /etc/rollcall/*.rpmnew && rm -df /etc/rollcall ;;
  esac
}
version_of() {
  case $kind in
    deb) dpkg-query -W -f '${Version}' "$1" ;;
    rpm) rpm -q --qf '%{VERSION}+%{RELEASE}' "$1" ;;
  esac
}
# What Rollcall makes while it runs.
made() {
  find /sys/fs/cgroup /sys/fs/bpf /run /var/lib /var/log /var/cache -xdev -name 'rollcall*' -not -path '*rollcall-vm*' -not -path '*rollcall-debian*' -not -path '*/dpkg/*' -not -path '*/deb-systemd-helper*' 2>/dev/null
  find /sys/fs/cgroup/system.slice -maxdepth 1 -name 'rollcall.scope' 2>/dev/null
  pgrep -a java
}

hand_install_is_uninstalled() {
  /opt/rollcall/bin/rollcall uninstall --end-jobs >/run/said 2>&1 && differs "taken away under PAM lines" && return 1
  grep -q '/etc/pam.d/sshd' /run/said || differs "does not name the file: $(</run/said)" || return 1
  pam_lines out
  quietly /opt/rollcall/bin/rollcall uninstall --end-jobs || differs "$(</run/said)" || return 1
  [[ -z $(made) ]] || differs "left: $(made)" || return 1
  rm -rf /opt/rollcall /etc/rollcall /etc/systemd/system/rollcall{-agent.service,-gateway.service,.slice} /usr/lib/x86_64-linux-gnu/security/pam_rollcall.so
  systemctl daemon-reload
}

installed() {
  # As it is shipped but for one line, as the default is for a processor that is real. From here on the file is the administrator's.
  mkdir -p /etc/rollcall
  [[ $kind == rpm ]] || dpkg-deb --fsys-tarfile "$packages"/rollcall-agent_*.deb | tar xO ./etc/rollcall/agent.yaml >/etc/rollcall/agent.yaml
  echo 'systemd_timeout_ms: 20000' >>/etc/rollcall/agent.yaml
  quietly install_all "$packages" || differs "$(tail -n 5 /run/said)" || return 1
  eventually 300 active rollcall-agent || differs "$(journalctl -q --no-pager -n 20 -u rollcall-agent)" || return 1
  eventually 300 active rollcall-gateway || differs "$(journalctl -q --no-pager -n 20 -u rollcall-gateway)" || return 1
  local unit pid
  for unit in rollcall-agent rollcall-gateway; do
    pid=$(systemctl show -p MainPID --value $unit)
    [[ $(readlink "/proc/$pid/exe") == /usr/lib/rollcall/jre/bin/java ]] || differs "$unit is run by $(readlink "/proc/$pid/exe")" || return 1
  done
  [[ $(stat -c %U "/proc/$pid") == rollcall ]] || differs "the gateway is $(stat -c %U "/proc/$pid")'s" || return 1
  ! grep -q pam_rollcall /etc/pam.d/* || differs "a package wrote into /etc/pam.d"
}

login_is_adopted() {
  pam_lines in
  asks job begin 61 --user alice || differs "$(</run/said)" || return 1
  local in
  in=$(as alice 'sed -n s/^0:://p /proc/self/cgroup') || differs "alice: $(</run/said.ssh)" || return 1
  [[ $in == */job_61/* ]] || differs "alice is in $in" || return 1
  ! as bob true || differs "bob, who has no job, came in"
}

session_outlives_upgrade() {
  ssh -o ConnectTimeout=200 alice@127.0.0.1 'exec sleep 86400' </dev/null >/dev/null 2>&1 &
  eventually 200 pgrep -u alice -x sleep >/dev/null || differs "alice's session does not come" || return 1
  local sleeper agent in
  sleeper=$(pgrep -u alice -x sleep) agent=$(systemctl show -p MainPID --value rollcall-agent) in=$(cgroup_of "$sleeper")
  local before
  before=$(version_of rollcall-agent)
  quietly upgrade_all "$later" || differs "$(tail -n 5 /run/said)" || return 1
  [[ $(version_of rollcall-agent) == *+2 && $before != *+2 ]] || differs "from $before to $(version_of rollcall-agent)" || return 1
  eventually 300 active rollcall-agent || differs "no agent after the upgrade" || return 1
  grep -q 20000 /etc/rollcall/agent.yaml || differs "the upgrade took the configuration away" || return 1
  [[ $(systemctl show -p MainPID --value rollcall-agent) != "$agent" ]] || differs "the agent is still the old one" || return 1
  [[ $(cgroup_of "$sleeper") == "$in" && $in == */job_61/* ]] || differs "the session was in $in and is in $(cgroup_of "$sleeper")" || return 1
  asks ps 61 && grep -q "$sleeper" /run/said || differs "job 61 has: $(</run/said)" || return 1
  [[ $(as alice 'sed -n s/^0:://p /proc/self/cgroup') == */job_61/* ]] || differs "alice's next session: $(</run/said.ssh)"
}

removal_is_refused() {
  local sleeper
  sleeper=$(pgrep -u alice -x sleep)
  ! quietly remove libpam-rollcall || differs "the module went" || return 1
  grep -q "sed -i .* /etc/pam.d/sshd" /run/said || differs "no remedy: $(</run/said)" || return 1
  ! quietly remove rollcall-agent || differs "the agent went under PAM lines" || return 1
  as alice true || differs "alice cannot come: $(</run/said.ssh)" || return 1
  pam_lines out
  ! quietly remove rollcall-agent || differs "the agent went under an open job" || return 1
  grep -q 'job 61 is open' /run/said || differs "no reason: $(</run/said)" || return 1
  eventually 300 active rollcall-agent && ! gone "$sleeper" || differs "agent or session ended"
}

all_is_removed() {
  local sleeper
  sleeper=$(pgrep -u alice -x sleep)
  quietly rollcall uninstall --end-jobs || differs "$(</run/said)" || return 1
  eventually 60 gone "$sleeper" || differs "the session of the job is still there" || return 1
  [[ -z $(made) ]] || differs "uninstall left: $(made)" || return 1
  quietly remove_all || differs "$(tail -n 5 /run/said)" || return 1
  rm -rf /etc/systemd/system/rollcall-agent.service.d
  systemctl daemon-reload
  local left
  left=$(made; find /etc /opt /run /usr /var -xdev -name '*rollcall*' -not -path '*rollcall-vm*' -not -path '*rollcall-debian*' -not -path '*/rollcall-test*' -not -path '/var/tmp/*'
    systemctl list-unit-files --no-legend 'rollcall*' | grep -v 'rollcall-vm\|rollcall-test'; systemctl list-units --all --no-legend 'rollcall*' | grep -v 'rollcall-vm\|rollcall-test'
    dpkg -l '*rollcall*' 2>/dev/null | grep '^[a-z][a-z] '
    [[ $kind == deb ]] || rpm -qa '*rollcall*')
  [[ -z $left ]] || differs "left: $left"
}

login_is_as_before() {
  local who in
  for who in alice bob; do
    in=$(as "$who" 'sed -n s/^0:://p /proc/self/cgroup') || differs "$who: $(</run/said.ssh)" || return 1
    [[ $in != *job_* ]] || differs "$who is in $in" || return 1
  done
}

play() { # NAME FUNCTION
  local began=$SECONDS
  why=
  if "$2"; then echo "ok      $1 ($((SECONDS - began)) s)"; else echo "DIFFERS $1 ($((SECONDS - began)) s): $why"; fi
}

play vm-packages-hand-install-goes hand_install_is_uninstalled
play vm-packages-installed installed
play vm-packages-login-adopted login_is_adopted
play vm-packages-upgraded-under-session session_outlives_upgrade
play vm-packages-removal-refused removal_is_refused
play vm-packages-removed all_is_removed
play vm-packages-login-as-before login_is_as_before
