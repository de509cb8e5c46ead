#!/bin/bash
# The shipped unit's agent ends itself, with 71 for direct memory that is full and with 75 for an event loop that does not answer. systemd starts it again, and
# alice comes into her job meanwhile. The first line of defence is off. Prints "ok NAME MILLISECONDS until it answers again" or "DIFFERS NAME ..." for each.
# unit-ends.sh FOLDER: where unread.py is
set -u
rollcall=/opt/rollcall/bin/rollcall
pid() { systemctl show -p MainPID --value rollcall-agent; }
answers() { timeout 20 $rollcall jobs >/run/said 2>&1 && grep -q '^61 ' /run/said; }
login() { ssh -o ConnectTimeout=60 alice@127.0.0.1 'sed -n s/^0:://p /proc/self/cgroup' </dev/null 2>/run/said.ssh || cat /run/said.ssh; }

fills_direct_memory() { python3 "$1/unread.py" /run/rollcall/grpc.sock "$2" >/dev/null; }
# Each write of the event loop of root's socket begins minutes late; the commands have it write. A loop that waits in epoll_wait(2) is idle for the watch.
# A process whose thread is held by a tracer does not end before it is let go.
holds_an_event_loop() {
  local task loop='' tracer end=$((SECONDS + 120))
  for task in /proc/"$2"/task/*; do
    ! grep -q eventloo "$task/comm" || loop=${task##*/}
  done
  strace -qq -o /dev/null -p "$loop" -e trace=write,writev,sendmsg,sendto -e inject=write,writev,sendmsg,sendto:delay_enter=300s >/dev/null 2>&1 &
  tracer=$!
  until said 75 || ((SECONDS > end)); do sleep 0.5; done
  kill $tracer
}
said() { journalctl -q --no-pager -o cat -u rollcall-agent | grep -q "ends with status $1"; }

ends() { # STATUS BY FOLDER
  local before began end millis in
  before=$(pid)
  "$2" "$3" "$before" &
  began=$SECONDS
  while kill -0 "$before" 2>/dev/null && ((SECONDS - began < 150)); do
    # Nobody is refused while the agent is on its way to the end, and after it.
    in=$(login)
    [[ $in == */job_61/* ]] || { echo "DIFFERS $2 alice: $in" && return; }
    timeout 1 $rollcall jobs >/dev/null 2>&1
  done
  end=$(date +%s%3N)
  until answers; do
    ((SECONDS - began < 300)) || { echo "DIFFERS $2 no agent: $(systemctl status rollcall-agent)" && return; }
    in=$(login)
    [[ $in == */job_61/* ]] || { echo "DIFFERS $2 alice, without an agent: $in" && return; }
  done
  millis=$(($(date +%s%3N) - end))
  wait
  said "$1" || { echo "DIFFERS $2 $(journalctl -q --no-pager -o cat -u rollcall-agent | tail -n 5)" && return; }
  echo "ok $2 $millis"
}

echo "ROLLCALL_AGENT_OPTS='-Dio.netty.native.workdir=/var/cache/rollcall -Drollcall.test.first_line=off'" >>/etc/default/rollcall-agent
systemctl restart rollcall-agent
$rollcall job begin 61 --user alice >/dev/null
ends 71 fills_direct_memory "$1"
ends 75 holds_an_event_loop "$1"
