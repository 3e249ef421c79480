/**
 * What the containers of database servers run where the nodes are real: each fills its volume once, beside the place where
 * it is looked for, so that a server that dies meanwhile begins anew, and then becomes the server.
 */

/** The environment of the scripts, which read nothing else. */
export const serverVariables = { username: 'USERNAME', password: 'PASSWORD', database: 'DATABASE' } as const;

export const dataPath = '/data';
/** The mount path of the Postgres administrator's login, once it exists. */
export const superuserPath = '/superuser';

/** The administrator has no password until the Secret has one; it is updated whenever the Secret changes. */
export const postgresScript = String.raw`set -eu
export PATH="$PATH:$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -n 1)"
as() { setpriv --reuid=postgres --regid=postgres --clear-groups "$@"; }
chown postgres: ${dataPath}
if [ ! -s ${dataPath}/pgdata/PG_VERSION ]; then
  rm -rf ${dataPath}/new
  as initdb --pgdata=${dataPath}/new --username=postgres --encoding=UTF8 --no-locale --auth-local=trust --auth-host=scram-sha-256
  echo 'host all all all scram-sha-256' >> ${dataPath}/new/pg_hba.conf
  as pg_ctl --pgdata=${dataPath}/new --silent --wait --options="-c listen_addresses= -c unix_socket_directories=/tmp" start
  as psql --host=/tmp --username=postgres --no-psqlrc --quiet --set=ON_ERROR_STOP=1 postgres <<'SQL'
\set login ${'`'}printf %s "$USERNAME"${'`'}
\set password ${'`'}printf %s "$PASSWORD"${'`'}
\set database ${'`'}printf %s "$DATABASE"${'`'}
CREATE ROLE :"login" LOGIN PASSWORD :'password';
CREATE DATABASE :"database" OWNER :"login";
SQL
  as pg_ctl --pgdata=${dataPath}/new --silent --wait --mode=fast stop
  mv ${dataPath}/new ${dataPath}/pgdata
fi
administrator() {
  before=
  while sleep 1; do
    now=$(cat ${superuserPath}/password 2>/dev/null || true)
    [ -n "$now" ] && [ "$now" != "$before" ] || continue
    export ADMIN_PASSWORD="$now"
    as psql --host=/tmp --username=postgres --no-psqlrc --quiet postgres <<'SQL' && before=$now
\set password ${'`'}printf %s "$ADMIN_PASSWORD"${'`'}
ALTER ROLE postgres PASSWORD :'password';
SQL
  done
}
administrator &
exec setpriv --reuid=postgres --regid=postgres --clear-groups postgres -D ${dataPath}/pgdata -c listen_addresses='*' -c unix_socket_directories=/tmp
`;

/** Logins and the database are created at each start, if missing. */
export const mysqlScript = String.raw`set -eu
umask 077
if [ ! -d ${dataPath}/mysql/mysql ]; then
  rm -rf ${dataPath}/new
  if command -v mariadb-install-db >/dev/null; then
    mariadb-install-db --no-defaults --user=mysql --datadir=${dataPath}/new --skip-test-db
  else
    mysqld --no-defaults --initialize-insecure --user=mysql --datadir=${dataPath}/new
  fi
  mv ${dataPath}/new ${dataPath}/mysql
fi
text() { printf %s "$1" | sed "s/[\\\\']/\\\\&/g"; }
name() { printf %s "$1" | sed 's/${'`'}/${'``'}/g'; }
cat > /tmp/init.sql <<SQL
CREATE DATABASE IF NOT EXISTS ${'\\`'}$(name "$DATABASE")${'\\`'};
CREATE USER IF NOT EXISTS 'root'@'%' IDENTIFIED BY '$(text "$PASSWORD")';
GRANT ALL ON *.* TO 'root'@'%' WITH GRANT OPTION;
CREATE USER IF NOT EXISTS '$(text "$USERNAME")'@'%' IDENTIFIED BY '$(text "$PASSWORD")';
GRANT ALL ON ${'\\`'}$(name "$DATABASE")${'\\`'}.* TO '$(text "$USERNAME")'@'%';
ALTER USER 'root'@'localhost' IDENTIFIED BY '$(text "$PASSWORD")';
SQL
chown mysql /tmp/init.sql
exec mysqld --no-defaults --user=mysql --datadir=${dataPath}/mysql --init-file=/tmp/init.sql --bind-address=0.0.0.0 --socket=/tmp/mysql.sock --pid-file=/tmp/mysql.pid
`;

/** The password comes with the settings over standard input, so that it is in no process argument. */
export const redisScript = String.raw`set -eu
quoted() { printf %s "$PASSWORD" | sed 's/[\\"]/\\&/g'; }
exec redis-server - <<SETTINGS
requirepass "$(quoted)"
dir ${dataPath}
save ""
appendonly yes
protected-mode no
bind 0.0.0.0
SETTINGS
`;
