import type { DatabaseSpec } from '../../crds/coreDatabase.ts';
import { databaseNameOf, portOf } from './effective.ts';
import type { CoreDatabase } from '../../crds/coreDatabase.ts';

/** The limits of a statement, also set on the server: a closed socket does not end a statement there (decision 96). */
export const queryLimits = { seconds: 30, outputBytes: 1024 * 1024, statementBytes: 1024 * 1024 } as const;

const { seconds } = queryLimits;

/**
 * Reads the password and then the statement from standard input, so that neither is in an argument or a URL. The end of
 * the input cannot be sent, so the size of the statement is an argument.
 */
const withStatement = (client: string) => `exec 2>&1; IFS= read -r PASSWORD; head -c "$1" | { ${client}\n}`;

const timed = `timeout ${seconds}`;

/** The limit of the server: MySQL's covers only reads, MariaDB's everything. The lock names the session. */
const mysqlBegin = `/*!50704 SET SESSION MAX_EXECUTION_TIME=${seconds}000, *//*M! SET SESSION max_statement_time=${seconds}, */ @lock = GET_LOCK('$lock', 0)`;

/**
 * A second session ends what MySQL does not limit, such as a write: the holder of the lock is still running then, even
 * without its client. A login may end its own sessions.
 */
const mysql = String.raw`export MYSQL_PWD="$PASSWORD"
lock=core-$(cat /proc/sys/kernel/random/uuid) port=$2 database=$3
session() { ${timed} mysql --protocol=TCP --host=127.0.0.1 --port="$port" --user=app "$@"; }
{
  trap 'kill $sleeping; exit' TERM
  sleep ${seconds} & sleeping=$!
  wait $sleeping
  held=$(session --batch --skip-column-names --execute="SELECT IS_USED_LOCK('$lock')")
  [ "$held" = NULL ] || session --execute="KILL $held"
} < /dev/null > /dev/null 2>&1 &
watching=$!
session --table --init-command="${mysqlBegin}" "$database"
code=$?
[ $code -ge 124 ] || kill $watching 2> /dev/null
exit $code`;

const clients: Readonly<Record<DatabaseSpec['engine'], string>> = {
  Postgres: `export PGPASSWORD="$PASSWORD" PGOPTIONS="-c statement_timeout=${seconds}s"; ${timed} psql --no-psqlrc --set=ON_ERROR_STOP=1 -h 127.0.0.1 -p "$2" -U app -d "$3"`,
  MySQL: mysql,
  Redis: `export REDISCLI_AUTH="$PASSWORD"; ${timed} redis-cli -p "$2"`,
  SQLite: `${timed} rqlite -H "$(hostname)" -p "$2"`,
};

/** The command of a container that runs one statement by the client of its engine. */
export const queryCommand = (
  database: Pick<CoreDatabase, 'metadata'>,
  spec: DatabaseSpec,
  statementBytes: number,
): readonly string[] => [
  'sh',
  '-c',
  withStatement(clients[spec.engine]),
  'query',
  String(statementBytes),
  String(portOf(spec)),
  databaseNameOf(database, spec),
];

/** The input of the command. */
export const queryInput = (password: string, statement: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${password}\n`), statement]);

const mysqlPrimary = ({ metadata: { name } }: Pick<CoreDatabase, 'metadata'>, spec: DatabaseSpec): string =>
  `core-mysql-${name}${spec.highAvailability ? '-primary' : ''}-0`;

/** The claim that holds the data of a MySQL server, by the name that its chart gives. */
export const primaryClaim = (database: Pick<CoreDatabase, 'metadata'>, spec: DatabaseSpec): string =>
  `data-${mysqlPrimary(database, spec)}`;

/** The pod and the container of the primary: by the Postgres operator, else by the names of charts and Core. */
export function primaryOf(
  database: Pick<CoreDatabase, 'metadata'>,
  spec: DatabaseSpec,
  currentPrimary: string,
): { readonly pod: string; readonly container: string } | null {
  switch (spec.engine) {
    case 'Postgres':
      return currentPrimary === '' ? null : { pod: currentPrimary, container: 'postgres' };
    case 'MySQL':
      return { pod: mysqlPrimary(database, spec), container: 'mysql' };
    case 'Redis':
      return { pod: `core-redis-db-${database.metadata.name}-master-0`, container: 'redis' };
    case 'SQLite':
      return null;
  }
}
