import type { DatabaseSpec } from '../../crds/coreDatabase.ts';

/** The engines whose backups are dumps. */
export type Dumped = Extract<DatabaseSpec['engine'], 'MySQL' | 'SQLite'>;

/** The only variables that the scripts read. */
export const scriptVariables = [
  'SERVER_HOST',
  'SERVER_PORT',
  'USERNAME',
  'PASSWORD',
  'DATABASE',
  'ENDPOINT',
  'REGION',
  'BUCKET',
  'FOLDER',
  'ACCESS_KEY_ID',
  'ACCESS_SECRET_KEY',
  'RESTORE_POINT',
] as const;
export type ScriptVariable = (typeof scriptVariables)[number];

// The scripts share files in their working directory.

/** The dump is named by the time before it starts: it contains every row committed until then. */
const begin = `set -eu
umask 077
rm -f dump.sql.gz dump.ended
date -u +%Y%m%dT%H%M%SZ > point`;

const cutShort = `echo 'the dump was cut short' >&2; exit 1`;

/** Every process of the node can read arguments, so the password goes into a file. */
const mysqlLogin = `quoted() { printf '%s' "$1" | sed 's/[\\\\"]/\\\\&/g'; }
{
  echo '[client]'
  printf 'user="%s"\\npassword="%s"\\nhost="%s"\\nport=%s\\nprotocol=tcp\\n' \\
    "$(quoted "$USERNAME")" "$(quoted "$PASSWORD")" "$(quoted "$SERVER_HOST")" "$SERVER_PORT"
} > client.cnf
trap 'rm -f client.cnf' EXIT`;

/** A row may fill a server packet, and doubles in hexadecimal digits. */
const largestPacket = '--max-allowed-packet=1G';

const dumps: Readonly<Record<Dumped, string>> = {
  // Only MySQL's client has the option, without which a dump cannot be loaded beside its original. `sh` sees only the
  // status of the last command of a pipe, so the dump itself marks its end.
  MySQL: `${begin}
${mysqlLogin}
set -- ${largestPacket} --single-transaction --quick --routines --triggers --events --hex-blob --no-tablespaces --default-character-set=utf8mb4
if mysqldump --help 2> /dev/null | grep -e '--set-gtid-purged' > /dev/null; then set -- "$@" --set-gtid-purged=OFF; fi
{ mysqldump --defaults-extra-file=client.cnf "$@" "$DATABASE" && touch dump.ended; } | gzip -c > dump.sql.gz
[ -e dump.ended ] || { ${cutShort}; }
`,
  // The server's own SQL cannot be loaded with virtual tables (decision 153).
  SQLite: `${begin}
curl --fail --silent --show-error --output dump.db "http://$SERVER_HOST:$SERVER_PORT/db/backup"
`,
};

/**
 * Makes the file `$1` of `dump.sql`. A dump is untrusted: `-safe` prevents commands and access to other files. It
 * writes virtual tables as rows of the schema, which newer versions refuse by default.
 */
const loaded = `loaded() {
  rm -f "$1"
  sqlite3 -safe -bail -cmd '.dbconfig defensive off' "$1" < dump.sql > /dev/null
  [ "$(sqlite3 -safe "$1" 'PRAGMA integrity_check')" = ok ]
}`;

/**
 * Writes the SQL of a SQLite file and loads it once. `.dump` may succeed on a truncated file, and omits two numbers
 * that programs keep in its header.
 */
export const exportScript = `set -eu
umask 077
${loaded}
[ -s dump.db ] && [ "$(sqlite3 -safe dump.db 'PRAGMA quick_check')" = ok ] || { ${cutShort}; }
sqlite3 -safe -bail dump.db .dump > dump.sql
[ "$(tail -c 8 dump.sql | tr -d '\\n')" = 'COMMIT;' ] || { ${cutShort}; }
for name in user_version application_id; do
  sqlite3 -safe dump.db "SELECT 'PRAGMA $name=' || $name || ';' FROM pragma_$name" >> dump.sql
done
loaded scratch.db
gzip -c dump.sql > dump.sql.gz
rm -f dump.db* dump.sql scratch.db
`;

/** Configures rclone by the environment alone. Without an endpoint the store is AWS. */
const store = `set -eu
umask 077
export RCLONE_CONFIG=/dev/null RCLONE_S3_ENV_AUTH=false RCLONE_S3_NO_CHECK_BUCKET=true
export RCLONE_S3_ACCESS_KEY_ID="$ACCESS_KEY_ID" RCLONE_S3_SECRET_ACCESS_KEY="$ACCESS_SECRET_KEY" RCLONE_S3_REGION="$REGION"
if [ -n "$ENDPOINT" ]; then
  export RCLONE_S3_PROVIDER=Other RCLONE_S3_ENDPOINT="$ENDPOINT" RCLONE_S3_FORCE_PATH_STYLE=true
else
  export RCLONE_S3_PROVIDER=AWS
fi`;

/** The script that makes the dump. */
export const dumpScript = (engine: Dumped): string => dumps[engine];

/** An object exists only once it is completely stored, in one part or several. */
export const uploadScript = `${store}
gzip -t dump.sql.gz
rclone copyto dump.sql.gz ":s3:$BUCKET/$FOLDER/dumps/$(cat point).sql.gz"
`;

export const downloadScript = `${store}
rclone copyto ":s3:$BUCKET/$FOLDER/dumps/$RESTORE_POINT.sql.gz" dump.sql.gz
gzip -t dump.sql.gz
`;

/** A database file replaces the server's content, so loading is idempotent. */
export const convertScript = `set -eu
umask 077
${loaded}
gzip -dc dump.sql.gz > dump.sql
loaded restored.db
rm dump.sql
`;

const loads: Readonly<Record<Dumped, string>> = {
  // In binary mode the client executes no client commands of a dump. Only the administrator can change server limits.
  MySQL: `set -eu
umask 077
${mysqlLogin}
gzip -t dump.sql.gz
administer() { mysql --defaults-extra-file=client.cnf --skip-column-names --execute="$1"; }
before=$(administer 'SELECT @@GLOBAL.max_allowed_packet')
administer 'SET GLOBAL max_allowed_packet = 1073741824'
gzip -dc dump.sql.gz | mysql --defaults-extra-file=client.cnf --binary-mode ${largestPacket} --default-character-set=utf8mb4 "$DATABASE"
administer "SET GLOBAL max_allowed_packet = $before"
`,
  SQLite: `set -eu
curl --fail --silent --show-error --output answer -X POST -H 'Content-Type: application/octet-stream' \\
  --data-binary @restored.db "http://$SERVER_HOST:$SERVER_PORT/db/load"
if grep '"error"' answer; then exit 1; fi
`,
};

/** The script that loads a dump. */
export const loadScript = (engine: Dumped): string => loads[engine];
