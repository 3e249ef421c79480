import { until } from '../../../support/until.ts';
import { eased, objectOf, seconds, untilCondition } from '../../core.ts';
import { clientOf } from '../../psql.ts';
import { adminOf } from '../../rest.ts';
import type { Steps } from '../../step.ts';
import { databaseOf, namespace } from './objects.ts';
import { created } from './creation.ts';

/** A server that is stopped waits for its clients, up to three minutes. */
const clientSeconds = 30;

interface Retried {
  readonly status?: {
    readonly history?: readonly { readonly machine: string; readonly event: string; readonly text: string }[];
  };
}

const counted = async (cluster: Parameters<Steps>[0]) =>
  ((await objectOf<Retried>(cluster, databaseOf('sales')))?.status?.history ?? []).filter(
    ({ machine, text }) => machine === 'provisionRetry' && /failure \d of \d/.test(text),
  );

/** A stop and a deploy at once, while a client is in the server. */
export const stopAndDeploy: Steps = (cluster) => [
  {
    scenario: 'databases',
    title: 'stop and deploy while a client is connected: no failure is counted',
    after: [created],
    run: async () => {
      const ask = await adminOf(cluster);
      const client = await clientOf(cluster, namespace, 'sales');
      const before = (await counted(cluster)).length;
      const connected = client.keep(`select pg_sleep(${clientSeconds})`);
      const isConnected = async () => Number(await client.ask(connections)) > 0;
      await until(eased(isConnected), 'a client is connected', 30_000);
      const from = Date.now();
      await ask('POST /api/v1/databases/sales/stop', { confirmName: 'sales' });
      await ask('POST /api/v1/databases/sales/deploy');
      // Ready is that of the stopped server until the deploy is taken up.
      const gone = async () => (await objectOf(cluster, `cluster sales -n ${namespace}`)) === null;
      await until(eased(gone), 'the stopped server goes', 60_000);
      await untilCondition(cluster, databaseOf('sales'), { withinMs: 180_000 });
      connected.stop();
      const failures = (await counted(cluster)).slice(before);
      if (failures.length > 0) throw new Error(failures.map(({ text }) => text).join('; '));
      const again = await clientOf(cluster, namespace, 'sales');
      // The nodes hear of the new pod when Core does.
      const answers = () => again.ask('select 1').catch(() => null);
      await until(eased(answers), 'the server answers through its Service', 10_000);
      return `Ready and answering ${seconds(Date.now() - from)} after the stop`;
    },
  },
];

const connections = `select count(*) from pg_stat_activity where query like '%pg_sleep(${clientSeconds})%' and pid <> pg_backend_pid()`;
