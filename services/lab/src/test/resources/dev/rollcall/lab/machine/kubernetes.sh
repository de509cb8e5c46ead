#!/bin/bash
# On a machine with podman 5.4: runs the pods of the chart from its images, as `podman kube play` reads manifests, and has users log in by the machine's own sshd.
# Prints "ok NAME ..." or "DIFFERS NAME ..." for each scene.
# The processor is emulated: every wait is bounded, and long.
set -u
why=
given=/srv/rollcall-vm
play=$given/play

differs() {
  why=$*
  return 1
}
eventually() { # SECONDS COMMAND...
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    ((SECONDS < end)) || return 1
    sleep 1
  done
}
quietly() { "$@" >/run/said 2>&1; }
asks() { eventually 300 quietly /opt/rollcall/bin/rollcall "$@" --timeout 120; }
as() { ssh -o ConnectTimeout=200 "$1@127.0.0.1" "$2" </dev/null 2>/run/said.ssh; }
cgroup() { as "$1" 'sed -n s/^0:://p /proc/self/cgroup'; }
agent_container() { podman ps --format '{{.Names}}' | grep '^hpc-rollcall-agent.*-agent$'; }
logs() { podman logs "$1" 2>&1 | tail -n 20; }

# As a kubelet reads probes of a gateway: without a look at its certificate, and without one.
gateway_answers() { curl -fsk -m 10 "https://10.89.0.1$1:7453/health/ready" >/run/said; }
# The chart's own probes of an agent, and the health, which needs the node's certificate.
agent_answers() {
  podman exec "$(agent_container)" grep -qF ' /run/rollcall/login.sock' /proc/net/unix || return 1
  curl -fsk -m 10 --cert /etc/rollcall/tls/certificate.pem --key /etc/rollcall/tls/key.pem https://127.0.0.1:7451/health/ready >/run/said
}
# With a connection to a gateway.
agent_is_connected() { agent_answers && tr -d ' \n' </run/said | grep -q '"stage":"gateway","well":true'; }

# Only the PAM module, the users, and the command are of this machine: agent and gateways come from the images.
node_is_up() {
  quietly bash $given/node.sh without-agent || differs "$(tail -n 5 /run/said)" || return 1
  rm -rf /opt/rollcall/lib/agent /opt/rollcall/lib/gateway /opt/rollcall/lib/container
  quietly podman network create --subnet 10.89.0.0/24 --gateway 10.89.0.1 rollcall || differs "$(</run/said)" || return 1
  # In place of the cluster's DNS. Containers get a copy.
  cat $play/hosts >>/etc/hosts
}

images_are_loaded() {
  local archive
  for archive in "$given"/images/*.tar; do
    quietly podman load --quiet --input "$archive" || differs "$(</run/said)" || return 1
    rm "$archive"
  done
}

play_gateway() { # NUMBER
  quietly podman kube play --network rollcall --ip "10.89.0.1$1" "$play/gateway-$1.yaml" || differs "$(tail -n 5 /run/said)"
}
gateway_is_up() {
  eventually 300 gateway_answers "$1" || differs "gateway $1: $(logs "hpc-rollcall-gateway-$1-gateway")"
}
gateways_are_up() {
  quietly podman kube play $play/secret.yaml || differs "$(</run/said)" || return 1
  play_gateway 0 && play_gateway 1 && gateway_is_up 0 && gateway_is_up 1
}

# By the kernel: its user, its capabilities, and its root, which is read-only.
gateway_has_no_rights() {
  local pid
  pid=$(podman inspect --format '{{.State.Pid}}' hpc-rollcall-gateway-0-gateway)
  grep -q $'^Uid:\t7450\t7450' "/proc/$pid/status" || differs "$(grep Uid "/proc/$pid/status")" || return 1
  grep -q $'^CapBnd:\t0000000000000000' "/proc/$pid/status" || differs "$(grep Cap "/proc/$pid/status")" || return 1
  grep -q '^[0-9]* [0-9]* [0-9:]* / / ro' "/proc/$pid/mountinfo" || differs "$(grep ' / / ' "/proc/$pid/mountinfo")"
}

agent_is_up() {
  quietly podman kube play --network host $play/agent.yaml || differs "$(tail -n 5 /run/said)" || return 1
  eventually 300 agent_is_connected || differs "$(</run/said) $(logs "$(agent_container)")"
}

in_job() { # USER JOB
  local in
  in=$(cgroup "$1") || differs "$1, $?: $(</run/said.ssh)" || return 1
  # In a scope of systemd, which the agent in the pod has asked for.
  [[ $in == /system.slice/*.scope/job_$2/* ]] || differs "$1 is in $in"
}
login_is_adopted() {
  asks job begin 61 --user alice || differs "$(</run/said)" || return 1
  in_job alice 61 || return 1
  # With two jobs the module needs the agent's answer.
  asks job begin 62 --user alice || differs "$(</run/said)" || return 1
  in_job alice 62
}

user_without_job() {
  ! as bob true || differs "bob, who has no job, came in" || return 1
  grep -q 'no active jobs' /run/said.ssh || differs "bob reads: $(</run/said.ssh)"
}

helm_test_passes() {
  quietly podman kube play --network rollcall $play/test.yaml || differs "$(tail -n 5 /run/said)" || return 1
  local status
  status=$(timeout 400 podman wait hpc-rollcall-test-test) || differs "it does not end: $(logs hpc-rollcall-test-test)" || return 1
  podman logs hpc-rollcall-test-test >/run/said 2>&1
  [[ $status == 0 ]] || differs "it ends with $status: $(</run/said)" || return 1
  # Each gateway has answered. To a gateway's certificate, which the pod has, no nodes are listed.
  (($(grep -c '^NODE ' /run/said) == 2)) || differs "$(</run/said)"
}

agent_has_stopped() { [[ $(podman inspect --format '{{.State.Running}}' "$1") == false ]]; }

# Another image, and a pod in place of the last. The signal is a kubelet's, to the first process of the container. A kubelet would wait 15 s, and an
# emulated processor takes longer.
agent_is_replaced() {
  local container image pod
  container=$(agent_container)
  image=$(podman inspect --format '{{.ImageName}}' "$container")
  podman tag "$image" "${image%:*}:upgraded" || differs "no image ${image%:*}:upgraded" || return 1
  pod=$(podman ps --format '{{.PodName}}' --filter "name=$container")
  quietly podman kill --signal TERM "$container" || differs "$(</run/said)" || return 1
  eventually 200 agent_has_stopped "$container" || differs "it runs: $(cat "/proc/$(podman inspect --format '{{.State.Pid}}' "$container")/cgroup")" || return 1
  quietly podman pod rm --force "$pod" || differs "$(tail -n 5 /run/said)" || return 1
  session_in_job || differs "without the agent the session is in $(cat "/proc/$(session)/cgroup")" || return 1
  sed "s|$image|${image%:*}:upgraded|" $play/agent.yaml >$play/agent-upgraded.yaml
  quietly podman kube play --network host $play/agent-upgraded.yaml || differs "$(tail -n 5 /run/said)" || return 1
  eventually 300 agent_is_connected || differs "$(</run/said) $(logs "$(agent_container)")" || return 1
  [[ $(podman inspect --format '{{.ImageName}}' "$(agent_container)") == *:upgraded ]] || differs "$(podman ps)"
}
session() { pgrep -u alice -x sleep; }
session_is_there() { session >/dev/null; }
session_in_job() { grep -q /job_62/ "/proc/$(session)/cgroup"; }
session_is_gone() { ! session_is_there; }

upgrade_keeps_sessions() {
  local before
  ssh -o ConnectTimeout=200 alice@127.0.0.1 'exec sleep 86400' </dev/null >/dev/null 2>&1 &
  eventually 200 session_is_there || differs "alice's session does not come" || return 1
  session_in_job || differs "the session is in $(cat "/proc/$(session)/cgroup")" || return 1
  before=$(session)
  agent_is_replaced || return 1
  [[ $(session) == "$before" ]] || differs "the session was $before, now: $(session)" || return 1
  session_in_job || differs "the session is in $(cat "/proc/$(session)/cgroup")" || return 1
  in_job alice 62
}

job_ends() {
  asks job end 62 || differs "$(</run/said)" || return 1
  eventually 100 session_is_gone || differs "the session of the job is still there" || return 1
  in_job alice 61
}

play() { # NAME FUNCTION
  local began=$SECONDS
  why=
  if "$2"; then echo "ok      $1 ($((SECONDS - began)) s)"; else echo "DIFFERS $1 ($((SECONDS - began)) s): $why"; fi
}

play chart-node-is-up node_is_up
play chart-images-loaded images_are_loaded
play chart-gateways-up gateways_are_up
play chart-gateway-without-rights gateway_has_no_rights
play chart-agent-up agent_is_up
play chart-login-adopted login_is_adopted
play chart-no-job-refused user_without_job
play chart-helm-test helm_test_passes
play chart-upgrade-keeps-sessions upgrade_keeps_sessions
play chart-job-ends job_ends
