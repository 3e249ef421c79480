import * as assert from 'uvu/assert';
import { until } from '../../../support/until.ts';
import { pause, seconds } from '../../core.ts';
import { outageIn } from '../../outage.ts';
import { clientOf } from '../../psql.ts';
import type { Steps } from '../../step.ts';
import { created } from './creation.ts';
import { databaseOf, namespace } from './objects.ts';

const maxLongerMs = 3_000;
const primaryOf = `get cluster orders -n ${namespace} -o jsonpath={.status.currentPrimary}`;
const columns = 'READY:.status.conditions[?(@.type=="Ready")].status';

/** The primary is killed while a client writes. */
export const failover: Steps = (cluster) => [
  {
    scenario: 'databases',
    title: 'a killed primary: Core is at most 3 s longer without Ready than psql without the server',
    after: [created],
    run: async () => {
      const client = await clientOf(cluster, namespace, 'orders');
      const psql = client.poll(`insert into rows (what) values ('polled')`);
      const core = cluster.follow(`get ${databaseOf('orders')} --no-headers -w -o custom-columns=${columns}`);
      const answers = (text: string) => text === 'ok';
      await until(() => core.lines.length > 0 && psql.lines.some(({ text }) => answers(text)), 'both are seen');
      const primary = await cluster.kubectl(primaryOf);
      const from = Date.now();
      await cluster.kubectl(`delete pod ${primary} -n ${namespace} --grace-period=0 --force`);
      const isBack = () => {
        const { lostAt, backAt } = outageIn(psql.lines, answers, from);
        return lostAt !== undefined && backAt !== undefined && Date.now() > backAt + 5_000;
      };
      await until(isBack, 'psql is back', 120_000);
      const byPsql = outageIn(psql.lines, answers, from);
      const isReady = (text: string) => text.trim() === 'True';
      await until(() => isReady(core.lines.at(-1)?.text ?? ''), 'Ready is back', 120_000);
      // Ready may leave once more while the lost instance comes back.
      await pause(15_000);
      psql.stop();
      core.stop();
      const byCore = outageIn(core.lines, isReady, from);
      const text = `psql without ${primary} for ${seconds(byPsql.ms)}, Core without Ready for ${seconds(byCore.ms)}`;
      assert.ok(byCore.ms <= byPsql.ms + maxLongerMs, text);
      assert.not.equal(await cluster.kubectl(primaryOf), primary);
      return `${text}; ${await client.ask('select count(*) from rows')} rows`;
    },
  },
];
