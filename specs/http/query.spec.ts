import * as assert from 'uvu/assert';
import { workloadPods } from '../../runtime/controllers/capacity.ts';
import { postgresClusters } from '../../runtime/owned/addonKinds.ts';
import { databases, projects } from '../../runtime/services/cluster/kinds.ts';
import { definitionOf } from '../../runtime/services/cluster/resources.ts';
import { putDatabaseEnvironment } from '../support/database.ts';
import { putServer, serverName } from '../support/logicalDatabase.ts';
import { isWhole } from '../support/share.ts';
import { noMariadb, noPostgres, type SqlServer, startMariadb, startPostgres } from '../support/sqlServers.ts';
import { suite } from '../support/suite.ts';
import { unless } from '../support/unless.ts';
import { until } from '../support/until.ts';
import { serve, type Served } from './served.ts';

const query = `/api/v1/databases/${serverName}/query`;
/** As `putServer` stores it. */
const app = { username: 'app', password: 'apps-own' };

type Exchanged = Readonly<Record<string, string>>;

interface Engine {
  readonly name: 'Postgres' | 'MySQL';
  readonly pod: string;
  readonly port: string;
  /** What makes the login and the database of the server. */
  readonly prepared: readonly string[];
  readonly limit: readonly [statement: string, shown: RegExp];
  readonly sleep: (seconds: number) => string;
  /** Counts the statements that sleep. */
  readonly sleeping: string;
  readonly long: string;
  /** A write that sleeps, and what takes the limit of MariaDB away, which MySQL has for what reads alone. */
  readonly write?: { readonly statement: string; readonly unlimited: Exchanged };
}

const engines: Readonly<Record<Engine['name'], Engine>> = {
  Postgres: {
    name: 'Postgres',
    pod: 'main-1',
    port: '5432',
    prepared: [`CREATE ROLE app LOGIN PASSWORD '${app.password}'`, `CREATE DATABASE ${serverName} OWNER app`],
    limit: ['SHOW statement_timeout', /\b30s\b/],
    sleep: (seconds) => `SELECT pg_sleep(${seconds})`,
    sleeping: `SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%' AND state = 'active'`,
    long: `SELECT repeat('x', 3000000)`,
  },
  MySQL: {
    name: 'MySQL',
    pod: 'core-mysql-main-0',
    port: '3306',
    prepared: [
      `CREATE USER app@'%' IDENTIFIED BY '${app.password}'`,
      `CREATE DATABASE ${serverName}`,
      `GRANT ALL ON ${serverName}.* TO app@'%'`,
    ],
    limit: ['SELECT @@max_statement_time', /\b30\.0+\b/],
    sleep: (seconds) => `SELECT SLEEP(${seconds})`,
    sleeping: `SELECT count(*) FROM information_schema.processlist WHERE info LIKE '%SELECT SLEEP(60)%' AND id <> CONNECTION_ID()`,
    long: `SELECT REPEAT('x', 3000000)`,
    write: {
      statement: 'CREATE TABLE slow AS SELECT SLEEP(60)',
      unlimited: { 'max_statement_time=30': 'max_statement_time=0' },
    },
  },
};

interface Answer {
  readonly output: string;
  readonly truncated: boolean;
  readonly exitCode: number | null;
}

type Suite = ReturnType<typeof suite>;
interface QueryInput {
  /** Why there is no such server. */
  readonly lacks: string | null;
  readonly start: () => Promise<SqlServer>;
}

/** The route over the very command and a real server: only its port is another one, and at times its limits. */
function over(given: Suite, engine: Engine, { lacks, start }: QueryInput): void {
  let served: Served;
  let server: SqlServer;
  given.before(async () => {
    if (lacks !== null) return;
    server = await start();
    for (const statement of engine.prepared)
      assert.is(server.query(server.admin, engine.name === 'Postgres' ? 'postgres' : '', statement).code, 0, statement);
    served = await serve();
    putDatabaseEnvironment(served.world);
    await until(() => served.operator.caches.get(projects, 'shop'), 'the project is cached');
    putServer(served.world, { spec: { engine: engine.name }, annotations: { 'core.platform/paused': 'true' } });
    putPrimary(served, engine);
    const { caches } = served.operator;
    await until(() => caches.get(workloadPods, engine.pod, 'core-system'), 'the primary is cached');
    await until(() => caches.get(databases, serverName), 'the server is cached');
  });
  given.after(async () => {
    await served?.stop();
    server?.stop();
  });
  const limited = (exchanged: Exchanged = {}) => {
    served.world.exec.locally = (command) =>
      command.map((word) =>
        Object.entries({ [engine.port]: String(server.port), ...exchanged }).reduce(
          (text, [from, to]) => text.replaceAll(from, to),
          word,
        ),
      );
  };
  const asks = async (statement: string): Promise<Answer> => {
    const { status, text } = await served.post(query, { statement });
    assert.is(status, 200, text);
    return JSON.parse(text) as Answer;
  };
  const sleeping = () => server.query(server.admin, engine.name === 'Postgres' ? 'postgres' : '', engine.sleeping).out;
  const spec = unless(given, lacks);

  spec(
    'DB-165 DB-167 a statement runs as the login of the database, and a mistake returns the message of the client',
    async () => {
      limited();
      const answer = await asks('SELECT current_user, 40 + 2');
      assert.match(answer.output, /app.*42/s);
      assert.equal([answer.truncated, answer.exitCode], [false, 0]);
      const wrong = await asks('SELEC 1');
      assert.match(wrong.output, /syntax/);
      assert.is.not(wrong.exitCode, 0);
    },
  );

  spec('DB-165 the server ends a statement after 30 s', async () => {
    limited();
    assert.match((await asks(engine.limit[0])).output, engine.limit[1]);
    if (!isWhole) return;
    const began = performance.now();
    const answer = await asks(engine.sleep(60));
    assert.ok(performance.now() - began < 36_000);
    assert.is.not(answer.exitCode, 0);
    await until(() => sleeping() === '0', 'nothing sleeps there');
  });

  spec('DB-165 a statement continues without its client until the server ends it', async () => {
    limited({
      'timeout 30': 'timeout 2',
      'timeout=30s': 'timeout=5s',
      'max_statement_time=30': 'max_statement_time=5',
    });
    const answer = await asks(engine.sleep(60));
    assert.is.not(answer.exitCode, 0);
    assert.is(sleeping(), '1', 'a closed socket ends nothing');
    await until(() => sleeping() === '0', 'the limit of the server ends it');
  });

  const { write } = engine;
  if (write)
    spec(
      'DB-165 a write that MySQL does not limit is ended by another session, with or without its client',
      async () => {
        for (const patience of isWhole ? ['timeout 2', 'timeout 20'] : ['timeout 2']) {
          limited({ ...write.unlimited, 'timeout 30': patience, 'sleep 30': 'sleep 5' });
          const began = performance.now();
          const answer = await asks(write.statement);
          assert.is.not(answer.exitCode, 0);
          if (patience === 'timeout 2') assert.is(sleeping(), '1', 'a closed socket ends nothing');
          await until(() => sleeping() === '0', 'it is ended');
          assert.ok(performance.now() - began < 19_000);
        }
      },
    );

  spec('DB-165 the output of a statement is truncated at 1 MiB', async () => {
    limited();
    const answer = await asks(engine.long);
    assert.equal([Buffer.byteLength(answer.output), answer.truncated], [1024 * 1024, true]);
  });
}

function putPrimary({ world: { cluster } }: Served, { pod, name }: Engine): void {
  const labels = {
    'core.platform/managed-by': 'core',
    'core.platform/kind': 'CoreDatabase',
    'core.platform/name': serverName,
  };
  const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
  const metadata = { name: pod, namespace: 'core-system', labels };
  cluster.put(workloadPods, { kind: 'Pod', metadata, spec: { nodeName: 'one' }, status });
  if (name !== 'Postgres') return;
  cluster.put(definitionOf('clusters.postgresql.cnpg.io'), { metadata: { name: 'clusters.postgresql.cnpg.io' } });
  cluster.put(postgresClusters, {
    metadata: { name: serverName, namespace: 'core-system', labels },
    status: { currentPrimary: pod },
  });
}

const postgres = suite('statements on a real Postgres');
over(postgres, engines.Postgres, { lacks: noPostgres(), start: startPostgres });
postgres.run();

const mysql = suite('statements on a real MySQL');
over(mysql, engines.MySQL, { lacks: noMariadb(), start: startMariadb });
mysql.run();
