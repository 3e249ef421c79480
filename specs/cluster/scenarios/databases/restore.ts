import * as assert from 'uvu/assert';
import { until } from '../../../support/until.ts';
import { eased, objectOf, pause, seconds, untilCondition } from '../../core.ts';
import { clientOf } from '../../psql.ts';
import type { Steps } from '../../step.ts';
import { isProtected, moment } from './creation.ts';
import { applyAll } from '../objects.ts';
import { databaseOf, namespace, postgres } from './objects.ts';

const restored = 'a restore to a moment has the rows of that moment';

interface Archived {
  readonly status?: { readonly recoveryWindowEnd?: string };
}

/** The window ends five minutes ago while the database runs. */
const windowLagsMs = 302_000;

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
      await pause(Math.max(0, Date.parse(time) + windowLagsMs - Date.now()));
      // The window is read every five minutes, and by a new leader at once.
      if (!(await reaches())) await cluster.kubectl('rollout restart -n core-system deploy/core');
      await until(eased(reaches), `the recovery window reaches ${time}`, 120_000);
      const from = Date.now();
      const restoreFrom = { archive, time };
      await applyAll(cluster, postgres('books-again', { databaseName: 'books', restoreFrom }));
      await untilCondition(cluster, databaseOf('books-again'), { withinMs: 180_000 });
      const ready = Date.now();
      const client = await clientOf(cluster, namespace, 'books-again');
      // The proxy of the node learns of the server when Core does, and needs a moment to lead to it.
      const asked = eased(() => client.ask('select what from rows order by at').catch(() => ''));
      assert.is(await until(asked, 'it answers', 10_000), 'before');
      const after = `Ready after ${seconds(ready - from)}, answering ${seconds(Date.now() - ready)} later`;
      return `as of ${time}: the row before it, not the one after it; ${after}`;
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
