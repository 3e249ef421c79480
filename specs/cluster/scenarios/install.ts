import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { root } from '../../support/product.ts';
import { untilCondition, seconds } from '../core.ts';
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
];
