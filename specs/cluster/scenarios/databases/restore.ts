import * as assert from 'uvu/assert';
import { until } from '../../../support/until.ts';
import { eased, objectOf, seconds, untilCondition } from '../../core.ts';
import { clientOf } from '../../psql.ts';
import type { Steps } from '../../step.ts';
import { isProtected, moment } from './creation.ts';
import { applyAll } from '../objects.ts';
import { databaseOf, namespace, postgres } from './objects.ts';

const restored = 'a restore to a moment has the rows of that moment';

interface Archived {
  readonly status?: { readonly recoveryWindowEnd?: string };
}

/** The window ends five minutes ago while the database runs: the moment was taken long before. */
const reachesWithinMs = 330_000;

/** A new database from the backups of another, as of a moment. */
export const restore: Steps = (cluster) => [
  {
    scenario: 'databases',
    title: restored,
    after: [isProtected],
    run: async () => {
      const { archive, time } = moment;
      const reaches = async () => {
        const end = (await objectOf<Archived>(cluster, `corebackuparchive ${archive} -n core-system`))?.status;
        return Date.parse(end?.recoveryWindowEnd ?? '') > Date.parse(time);
      };
      await until(eased(reaches), `the recovery window reaches ${time}`, reachesWithinMs);
      const from = Date.now();
      const restoreFrom = { archive, time };
      await applyAll(cluster, postgres('books-again', { databaseName: 'books', restoreFrom }));
      await untilCondition(cluster, databaseOf('books-again'), { withinMs: 180_000 });
      const rows = await (await clientOf(cluster, namespace, 'books-again')).ask('select what from rows order by at');
      assert.is(rows, 'before');
      return `as of ${time}: the row before it, not the one after it; Ready after ${seconds(Date.now() - from)}`;
    },
  },
  {
    scenario: 'databases',
    title: 'an edit of the restored database is applied',
    after: [restored],
    run: async () => {
      const requests = { cpu: '60m', memory: '128Mi' };
      const patch = JSON.stringify({ spec: { resources: { requests } } });
      await cluster.kubectl(`patch ${databaseOf('books-again')} --type merge --patch ${patch}`);
      const applied = async () =>
        (await cluster.kubectl(
          `get cluster books-again -n ${namespace} -o jsonpath={.spec.resources.requests.cpu}`,
        )) === requests.cpu;
      await until(eased(applied), 'the edit reaches the Cluster', 60_000);
      await untilCondition(cluster, databaseOf('books-again'), { withinMs: 120_000 });
      return `requests.cpu ${requests.cpu}`;
    },
  },
];
