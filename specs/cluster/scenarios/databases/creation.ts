import { until } from '../../../support/until.ts';
import { eased, objectOf, pause, podsIn, seconds, untilCondition } from '../../core.ts';
import type { Cluster } from '../../fixtures/cluster.ts';
import { clientOf } from '../../psql.ts';
import { startStore, storePrograms } from '../../s3.ts';
import { machineOf, needsMachine, type Steps } from '../../step.ts';
import { noPrograms } from '../../tools.ts';
import { installed } from '../install.ts';
import { applyAll, secret } from '../objects.ts';
import { cloudConnection, databaseOf, haReadiness, namespace, postgres, projectObject } from './objects.ts';
import { operatorCame } from './operator.ts';

export const created = 'databases are Ready and keep rows';
export const isProtected = 'the first base backup is in the S3 of radosgw';

const haReady = 'three nodes are Ready for high availability';
const bucket = 'core-backup-shop';
const table = 'create table if not exists rows (at timestamptz default clock_timestamp(), what text)';

interface Backed {
  readonly status?: {
    readonly backup?: { readonly state?: string; readonly message?: string; readonly archive?: string };
  };
}

/** The archive of books, and the moment between its two rows. */
export const moment = { archive: '', time: '' };

/** The pods of the databases, from when on they should stay. */
export const standing: { from: number; pods: ReadonlyMap<string, string> } = { from: 0, pods: new Map() };

/** More nodes, while nothing runs the databases yet. */
export const nodes: Steps = (cluster) => [
  {
    scenario: 'databases',
    title: haReady,
    after: [installed],
    lacks: () => needsMachine(cluster),
    run: async () => {
      const machine = machineOf(cluster);
      await machine.up('another', '2');
      await machine.up('another', '3');
      await applyAll(cluster, haReadiness());
      await untilCondition(cluster, 'corehareadiness platform -n core-system');
      return 'node1, node2, node3';
    },
  },
];

/** A server that is backed up: the first, because a moment of it must be five minutes old to be restored. */
export const backup: Steps = (cluster) => [
  {
    scenario: 'databases',
    title: isProtected,
    after: [operatorCame],
    lacks: () => noPrograms(...storePrograms),
    run: async () => {
      await applyAll(cluster, ...(await backedUp(cluster)));
      await untilCondition(cluster, databaseOf('books'));
      const protectedNow = async () => {
        const { backup: seen } = (await objectOf<Backed>(cluster, databaseOf('books')))?.status ?? {};
        return seen?.state === 'Protected' && seen;
      };
      const { message = '', archive = '' } = await until(eased(protectedNow), 'books is Protected', 150_000);
      const client = await clientOf(cluster, namespace, 'books');
      await client.ask(`${table}; insert into rows (what) values ('before')`);
      await pause(1_500);
      moment.archive = archive;
      moment.time = await client.ask(`select to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`);
      await pause(1_500);
      await client.ask(`insert into rows (what) values ('after')`);
      return `${message}, archive ${archive}; a row before ${moment.time}, one after it`;
    },
  },
];

/** A server with high availability, and one that is stopped later. */
export const creation: Steps = (cluster) => [
  {
    scenario: 'databases',
    title: created,
    after: [operatorCame, haReady],
    run: async () => {
      const from = Date.now();
      await applyAll(cluster, postgres('orders', { highAvailability: true }), postgres('sales'));
      await untilCondition(cluster, databaseOf('orders'), { withinMs: 240_000 });
      const readyAfter = Date.now() - from;
      await untilCondition(cluster, databaseOf('sales'));
      Object.assign(standing, { from: Date.now(), pods: await podsIn(cluster, namespace) });
      const client = await clientOf(cluster, namespace, 'orders');
      await client.ask(`${table}; insert into rows (what) values ('first')`);
      return `three instances Ready after ${seconds(readyAfter)}, ${await client.ask('select count(*) from rows')} row`;
    },
  },
];

async function backedUp(cluster: Cluster): Promise<readonly object[]> {
  const store = await startStore(machineOf(cluster));
  return [
    secret('shop-cloud', store.keys),
    cloudConnection('shop-cloud', store.endpoint),
    projectObject({ backupStorage: { connectionRef: { name: 'shop-cloud' }, bucket } }),
    postgres('books', { backup: { enabled: true, retentionDays: 7 } }),
  ];
}
