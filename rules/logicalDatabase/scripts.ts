import type { DatabaseSpec } from '../../crds/coreDatabase.ts';

/** The exit code of a create Job that found the database to belong to another login. */
export const takenExit = 65;

/**
 * Passes names and passwords to SQL as psql variables, read from the environment by a command in backquotes, so that
 * they are in no process argument. Statements with a password are kept out of the server's log.
 */
const postgresStart = String.raw`set -eu
export PGHOST="$SERVER_HOST" PGPORT="$SERVER_PORT" PGUSER="$ADMIN_USERNAME" PGPASSWORD="$ADMIN_PASSWORD"
export PGCONNECT_TIMEOUT=10 PGAPPNAME=core
run() {
  { cat <<'SQL'
\set VERBOSITY terse
\set database ${'`'}printf %s "$DATABASE"${'`'}
\set login ${'`'}printf %s "$LOGIN"${'`'}
\set password ${'`'}printf %s "$LOGIN_PASSWORD"${'`'}
\set limit ${'`'}printf %s "$CONNECTION_LIMIT"${'`'}
SET log_statement = 'none';
SET log_min_duration_statement = -1;
SET log_min_error_statement = 'panic';
SQL
  cat; } | PGDATABASE="$1" psql --no-psqlrc --quiet --tuples-only --no-align --set=ON_ERROR_STOP=1
}
`;

const postgresCreate = String.raw`${postgresStart}
owner=$(run "$SERVER_DATABASE" <<'SQL'
SELECT pg_get_userbyid(datdba) FROM pg_database WHERE datname = :'database';
SQL
)
if [ -n "$owner" ] && [ "$owner" != "$LOGIN" ]; then
  echo 'the database exists already and belongs to another login' >&2
  exit ${takenExit}
fi
if [ -n "${'$'}{LOGIN_PASSWORD:-}" ]; then
  run "$SERVER_DATABASE" <<'SQL'
SELECT format('CREATE ROLE %I', :'login') WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = :'login') \gexec
ALTER ROLE :"login" WITH LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD :'password';
SELECT format('ALTER ROLE %I CONNECTION LIMIT %s', :'login', (:'limit')::int)
  WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = :'database') \gexec
SELECT format('REVOKE ALL ON DATABASE %I FROM PUBLIC', datname)
  FROM pg_database WHERE datname IN ('postgres', 'template1') \gexec
SQL
fi
run "$SERVER_DATABASE" <<'SQL'
SELECT format('CREATE DATABASE %I OWNER %I', :'database', :'login')
  WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = :'database') \gexec
SELECT format('REVOKE ALL ON DATABASE %I FROM PUBLIC', datname)
  FROM pg_database WHERE datname IN (:'database', current_database()) \gexec
GRANT ALL ON DATABASE :"database" TO :"login";
SQL
run "$DATABASE" <<'SQL'
SELECT format(statement, nspname, :'login')
  FROM pg_namespace,
    unnest(ARRAY['REVOKE ALL ON SCHEMA %I FROM PUBLIC', 'GRANT ALL ON SCHEMA %I TO %I']) AS statement
  WHERE nspname = 'public' \gexec
SQL
echo 'created'
`;

/** Sessions end first: a locked login cannot reconnect between the last of them and the drop. */
const postgresDrop = String.raw`${postgresStart}
run "$SERVER_DATABASE" <<'SQL'
SELECT format('ALTER ROLE %I NOLOGIN', rolname) FROM pg_roles WHERE rolname = :'login' \gexec
SELECT format('ALTER DATABASE %I CONNECTION LIMIT 0', datname)
  FROM pg_database WHERE datname = :'database' AND pg_get_userbyid(datdba) = :'login' \gexec
SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
  WHERE pid <> pg_backend_pid() AND (usename = :'login' OR datname IN
    (SELECT datname FROM pg_database WHERE datname = :'database' AND pg_get_userbyid(datdba) = :'login'));
SELECT format('DROP DATABASE %I WITH (FORCE)', datname)
  FROM pg_database WHERE datname = :'database' AND pg_get_userbyid(datdba) = :'login' \gexec
SELECT format(statement, rolname)
  FROM pg_roles, unnest(ARRAY['DROP OWNED BY %I', 'DROP ROLE %I']) AS statement
  WHERE rolname = :'login' \gexec
SQL
echo 'dropped'
`;

/**
 * The client of MySQL has no variables: values are passed as hexadecimal text over standard input, and the server
 * quotes them. An underscore in a grant matches any character unless it is escaped.
 */
const mysqlStart = String.raw`set -eu
client=$(command -v mysql || command -v mariadb)
export MYSQL_PWD="$ADMIN_PASSWORD"
hex() { printf %s "$1" | od -An -v -tx1 | tr -d ' \n'; }
value() { printf "SET @%s = CONVERT(X'%s' USING utf8mb4);\n" "$1" "$(hex "$2")"; }
run() {
  {
    echo 'SET SESSION sql_log_off = 1;'
    value database "$DATABASE"
    value login "$LOGIN"
    value password "${'$'}{LOGIN_PASSWORD:-}"
    value connections "${'$'}{CONNECTION_LIMIT:-}"
    cat <<'SQL'
SET @name = CONCAT('${'`'}', REPLACE(@database, '${'`'}', '${'``'}'), '${'`'}');
SET @pattern = REPLACE(REPLACE(@database, '_', '\\_'), '%', '\\%');
SET @granted = CONCAT('${'`'}', REPLACE(@pattern, '${'`'}', '${'``'}'), '${'`'}.*');
SET @who = CONCAT(QUOTE(@login), '@''%''');
SET @exists = EXISTS (SELECT 1 FROM information_schema.schemata
  WHERE CAST(schema_name AS BINARY) = CAST(@database AS BINARY));
SET @owns = EXISTS (SELECT 1 FROM mysql.db WHERE CAST(user AS BINARY) = CAST(@login AS BINARY)
  AND CAST(db AS BINARY) IN (CAST(@database AS BINARY), CAST(@pattern AS BINARY)));
SQL
    cat
  } | "$client" --no-defaults --protocol=TCP --host="$SERVER_HOST" --port="$SERVER_PORT" --user="$ADMIN_USERNAME" \
    --connect-timeout=10 --default-character-set=utf8mb4 --batch --skip-column-names "$@"
}
`;

const mysqlCreate = String.raw`${mysqlStart}
taken=$(run <<'SQL'
SELECT @exists AND NOT @owns;
SQL
)
if [ "$taken" = 1 ]; then
  echo 'the database exists already and belongs to another login' >&2
  exit ${takenExit}
fi
if [ -n "${'$'}{LOGIN_PASSWORD:-}" ]; then
  run <<'SQL'
SET @statement = CONCAT('CREATE USER IF NOT EXISTS ', @who, ' IDENTIFIED BY ', QUOTE(@password));
PREPARE statement FROM @statement;
EXECUTE statement;
SET @limited = IF(@exists, '', CONCAT(' WITH MAX_USER_CONNECTIONS ', CAST(@connections AS UNSIGNED)));
SET @statement = CONCAT('ALTER USER ', @who, ' IDENTIFIED BY ', QUOTE(@password), @limited);
PREPARE statement FROM @statement;
EXECUTE statement;
SET @statement = CONCAT('ALTER USER ', @who, ' ACCOUNT UNLOCK');
PREPARE statement FROM @statement;
EXECUTE statement;
SQL
fi
run <<'SQL'
SET @statement = CONCAT('GRANT ALL PRIVILEGES ON ', @granted, ' TO ', @who);
PREPARE statement FROM @statement;
EXECUTE statement;
SET @statement = CONCAT('CREATE DATABASE IF NOT EXISTS ', @name);
PREPARE statement FROM @statement;
EXECUTE statement;
SQL
echo 'created'
`;

const mysqlDrop = String.raw`${mysqlStart}
sessions=$(run <<'SQL'
SET @statement = CONCAT('ALTER USER IF EXISTS ', @who, ' ACCOUNT LOCK');
PREPARE statement FROM @statement;
EXECUTE statement;
SELECT CONCAT('KILL ', id, ';') FROM information_schema.processlist
  WHERE CAST(user AS BINARY) = CAST(@login AS BINARY);
SQL
)
printf '%s\n' "$sessions" | run --force || true
run <<'SQL'
SET @statement = IF(@exists AND @owns, CONCAT('DROP DATABASE ', @name), 'DO 0');
PREPARE statement FROM @statement;
EXECUTE statement;
SET @statement = CONCAT('DROP USER IF EXISTS ', @who);
PREPARE statement FROM @statement;
EXECUTE statement;
SQL
echo 'dropped'
`;

type Scripts = Readonly<Record<'create' | 'drop', string>>;

const scripts: Readonly<Partial<Record<DatabaseSpec['engine'], Scripts>>> = {
  Postgres: { create: postgresCreate, drop: postgresDrop },
  MySQL: { create: mysqlCreate, drop: mysqlDrop },
};

/** The script of a Job for `sh -c`, which reads only the environment; empty for engines without databases. */
export const scriptOf = (engine: DatabaseSpec['engine'], role: keyof Scripts): string => scripts[engine]?.[role] ?? '';
