#!/bin/bash
# node.sh [without-agent]: makes this machine a node as docs/operations.md has it: the distribution in /opt/rollcall, its units, the PAM lines, and users who may come by ssh.
# What a site would not write is said: the processor is emulated, so whatever is timed gets more.
set -euo pipefail

for one in alice:2001 bob:2002 carol:2003; do
  name=${one%:*} id=${one#*:}
  getent group "$name" >/dev/null || groupadd -g "$id" "$name"
  id "$name" >/dev/null 2>&1 || useradd -m -u "$id" -g "$id" -s /bin/bash "$name"
  install -d -m 700 -o "$name" -g "$name" "/home/$name/.ssh"
  install -m 600 -o "$name" -g "$name" /root/.ssh/id_ed25519.pub "/home/$name/.ssh/authorized_keys"
done
# carol needs a password besides: this types it.
echo 'carol:correct horse' | chpasswd
printf '#!/bin/sh\necho "correct horse"\n' >/srv/rollcall-vm/password
chmod 755 /srv/rollcall-vm/password
cat >/root/.ssh/config <<'SSH'
Host *
  BatchMode yes
  LogLevel INFO
  ConnectTimeout 60
SSH
awk '{ print "127.0.0.1", $1, $2 }' /etc/ssh/ssh_host_*_key.pub >/root/.ssh/known_hosts

install -m 644 /opt/rollcall/lib/security/pam_rollcall.so "/usr/lib/$(uname -m)-linux-gnu/security/"
# Ours is the last line of each stack.
grep -q pam_rollcall /etc/pam.d/sshd || awk '
  { print }
  /^@include common-account/ { print "account    required     pam_rollcall.so timeout_ms=5000" }
  END { print "session    required     pam_rollcall.so timeout_ms=5000" }' /etc/pam.d/sshd >/etc/pam.d/sshd.new
[ ! -e /etc/pam.d/sshd.new ] || mv /etc/pam.d/sshd.new /etc/pam.d/sshd
cat >/etc/ssh/sshd_config.d/rollcall-vm.conf <<'SSHD'
UseDNS no
LoginGraceTime 300
KbdInteractiveAuthentication yes
Match User carol
AuthenticationMethods publickey,keyboard-interactive
SSHD
systemctl reload-or-restart ssh
[ "${1:-}" != without-agent ] || exit 0

install -m 644 /opt/rollcall/lib/systemd/*.service /opt/rollcall/lib/systemd/*.slice /etc/systemd/system/
install -d /etc/rollcall /etc/systemd/system/rollcall-agent.service.d
[ -e /etc/rollcall/agent.yaml ] ||
  printf 'node: vm\nsystemd_timeout_ms: 20000\ncontainer_conf: /etc/rollcall/job_container.conf\n' >/etc/rollcall/agent.yaml
printf 'BasePath=/var/lib/jobs AutoBasePath=true Dirs=/tmp,/dev/shm Shared=true\n' >/etc/rollcall/job_container.conf
printf '[Service]\nTimeoutStartSec=300\n' >/etc/systemd/system/rollcall-agent.service.d/emulated.conf
systemctl daemon-reload
systemctl start rollcall-agent || {
  journalctl -q --no-pager -n 60 -u rollcall-agent
  exit 1
}
