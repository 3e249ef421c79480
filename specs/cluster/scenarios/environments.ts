import * as assert from 'uvu/assert';
import { until } from '../../support/until.ts';
import { conditionIn, eased, isNone, objectOf, pause, seconds, type StatusOf, untilCondition } from '../core.ts';
import type { Cluster } from '../fixtures/cluster.ts';
import type { Steps } from '../step.ts';
import { created } from './databases/creation.ts';
import { otherNamespace, project } from './databases/objects.ts';

const hangs = 'an environment whose namespace hangs is named, and its project stays Ready';

/** Longer than Core tries anything before it gives up. */
const hangsMs = 135_000;
const holder = { name: 'held', finalizer: 'example.org/hold' };

interface Caused {
  readonly metadata: StatusOf['metadata'];
  readonly status?: StatusOf['status'] & {
    readonly causes?: readonly { readonly reason: string; readonly message: string }[];
  };
}

let hangsSince = 0;

const projectOf = `coreproject ${project} -n core-system`;
const causeOf = async (cluster: Cluster) =>
  (await objectOf<Caused>(cluster, projectOf))?.status?.causes?.find(({ reason }) => reason === 'NamespaceTerminating');

/** Somebody deletes a namespace that cannot go. */
export const namespaceHangs: Steps = (cluster) => [
  {
    scenario: 'environments',
    title: hangs,
    after: [created],
    run: async () => {
      const metadata = { name: holder.name, namespace: otherNamespace, finalizers: [holder.finalizer] };
      await cluster.kubectl('apply -f -', {
        input: JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata }),
      });
      await cluster.kubectl(`delete namespace ${otherNamespace} --wait=false`);
      hangsSince = Date.now();
      const { message } = await until(
        eased(async () => (await causeOf(cluster)) ?? false),
        'the project names the namespace',
        30_000,
      );
      assert.match(message, otherNamespace);
      assert.is(conditionIn(await objectOf(cluster, projectOf), 'Ready')?.status, 'True');
      return `${message}, named after ${seconds(Date.now() - hangsSince)}`;
    },
  },
];

/** The namespace goes at last. */
export const namespaceGoes: Steps = (cluster) => [
  {
    scenario: 'environments',
    title: `databases beside it stay for ${hangsMs / 1_000} s, and it heals when the namespace is free`,
    after: [hangs],
    run: async () => {
      await pause(Math.max(0, hangsSince + hangsMs - Date.now()));
      const hung = Date.now() - hangsSince;
      assert.is(conditionIn(await objectOf(cluster, projectOf), 'Ready')?.status, 'True');
      const { items } = (await objectOf<{ readonly items: readonly StatusOf[] }>(cluster, databases)) ?? { items: [] };
      assert.ok(items.length > 0, 'there are databases');
      isNone(
        items.filter((one) => conditionIn(one, 'Ready')?.status !== 'True').map(({ metadata }) => metadata.name),
        'databases that are not Ready',
      );
      const held = `configmap ${holder.name} -n ${otherNamespace}`;
      await cluster.kubectl(`patch ${held} --type=merge -p {"metadata":{"finalizers":null}}`);
      const from = Date.now();
      const isWhole = async () =>
        (await causeOf(cluster)) === undefined &&
        (await cluster.kubectl(`get namespace ${otherNamespace} --ignore-not-found -o jsonpath={.status.phase}`)) ===
          'Active';
      await until(eased(isWhole), 'the namespace is there again', 90_000);
      await untilCondition(cluster, projectOf);
      return `${items.length} databases Ready after ${seconds(hung)}; whole ${seconds(Date.now() - from)} after it was free`;
    },
  },
];

const databases = 'coredatabases -n core-system';
