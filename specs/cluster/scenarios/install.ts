import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { root } from '../../support/product.ts';
import { isNone, loggedAt, untilCondition, seconds } from '../core.ts';
import { passwordOf } from '../rest.ts';
import { machineOf, needsMachine, type Steps } from '../step.ts';

export const installed = 'the README installs Core';

/** Core by the README's way, from an image of this checkout. */
export const install: Steps = (cluster) => [
  {
    scenario: 'install',
    title: 'the image of this checkout is pushed',
    lacks: () => needsMachine(cluster),
    run: async () => `library/core-platform:0.1.0 ${(await machineOf(cluster).push('core')).trim().slice(0, 19)}`,
  },
  {
    scenario: 'install',
    title: installed,
    run: async () => {
      const from = Date.now();
      await cluster.kubectl(`apply -k ${join(root, 'crds/install')}`);
      await cluster.kubectl(`apply -f ${join(root, 'crds/samples/platform.yaml')}`);
      await cluster.kubectl('rollout status -n core-system deploy/core --timeout=120s', { withinMs: 130_000 });
      const ranAfter = Date.now() - from;
      await untilCondition(cluster, 'corecluster local -n core-system');
      return `Core available after ${seconds(ranAfter)}, its cluster Ready after ${seconds(Date.now() - from)}`;
    },
  },
  {
    scenario: 'install',
    title: 'the dashboard answers through its Service and the first password is in the log',
    after: [installed],
    run: async () => {
      const page = await cluster.kubectl(
        'get --raw /api/v1/namespaces/core-system/services/core-core-dashboard:8085/proxy/',
      );
      assert.match(page, /<html/i);
      await passwordOf(cluster);
      return `${page.length} characters of HTML`;
    },
  },
  {
    scenario: 'install',
    title: 'the data directory is its own, and no warning is logged about it',
    after: [installed],
    run: async () => {
      const mode = 'process.stdout.write((fs.statSync(process.env.CORE_DATA_DIR).mode&0o7777).toString(8))';
      const read = await cluster.kubectl(`exec -n core-system deploy/core -- node -e ${mode}`);
      assert.match(read, /^2?700$/);
      isNone(
        (await loggedAt(cluster, 'warn')).filter((line) => line.includes('others ha')),
        'warnings',
      );
      return `mode ${read}`;
    },
  },
  {
    scenario: 'install',
    title: 'an upgrade by apply leaves two replicas, each probed from its start',
    after: [installed],
    run: async () => {
      const rolledOut = () =>
        cluster.kubectl('rollout status -n core-system deploy/core --timeout=120s', { withinMs: 130_000 });
      const told = (path: string) => cluster.kubectl(`get deploy core -n core-system -o jsonpath=${path}`);
      await cluster.kubectl('scale -n core-system deploy/core --replicas=2');
      await rolledOut();
      await cluster.kubectl(`apply -k ${join(root, 'crds/install')}`);
      await rolledOut();
      assert.is(await told('{.spec.replicas}'), '2');
      const probe = await told('{.spec.template.spec.containers[0].startupProbe.httpGet.path}');
      assert.is(probe, '/healthz');
      // The younger one goes.
      await cluster.kubectl('scale -n core-system deploy/core --replicas=1');
      await rolledOut();
      return `2 replicas after an apply, started by ${probe}`;
    },
  },
];
