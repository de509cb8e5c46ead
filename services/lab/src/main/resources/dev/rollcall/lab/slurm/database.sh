#!/bin/sh
# database.sh DIRECTORY: becomes a MariaDB that only this node reaches, by a
# socket, with everything it keeps in the node's own tmpfs.
set -eu
dir=$1
data=/var/lib/slurm/mysql
small="--innodb-log-file-size=4M --innodb-buffer-pool-size=16M --innodb-flush-log-at-trx-commit=0"
install -d -o mysql -g mysql -m 700 "$data"
install -d -o mysql -g mysql -m 755 /run/mysqld
# Where clients look: Debian 13 and before, and since.
ln -s mysqld /run/mariadbd
install -o slurm -g slurm -m 600 "$dir/slurmdbd.conf" /etc/slurm/slurmdbd.conf
# shellcheck disable=SC2086 # flags are words
mariadb-install-db --no-defaults --datadir="$data" --user=mysql --skip-test-db \
    --auth-root-authentication-method=socket $small >/dev/null
# slurmdbd can make the database itself. With MariaDB 11.8's library it cannot go on after that:
# the first connection was refused, and the library then takes no columns from the next one.
cat > "$dir/grant.sql" <<'SQL'
CREATE DATABASE IF NOT EXISTS slurm_acct_db;
CREATE USER IF NOT EXISTS slurm@localhost IDENTIFIED VIA unix_socket;
GRANT ALL ON slurm_acct_db.* TO slurm@localhost;
SQL
# shellcheck disable=SC2086
exec mariadbd --no-defaults --datadir="$data" --user=mysql --socket=/run/mysqld/mysqld.sock \
    --pid-file=/run/mysqld/mysqld.pid --skip-networking --skip-log-bin --innodb-lock-wait-timeout=900 \
    --init-file="$dir/grant.sql" $small
