import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { startControllers } from '../../../../runtime/embedded/controllers/controllers.ts';
import type { Json } from '../../../../runtime/embedded/api/json.ts';
import { clusterOptions } from '../../../../runtime/local/clusterOptions.ts';
import { suite } from '../../../support/suite.ts';
import { unless } from '../../../support/unless.ts';
import { eventually } from '../started.ts';
import { startedNodes } from '../startedNodes.ts';

const spec = suite('the official client for Python');

/** The first interpreter that has the client. Debian's package serves Debian's own, which need not be the first. */
const python = ['python3', '/usr/bin/python3'].find((path) => {
  try {
    execFileSync(path, ['-c', 'import kubernetes'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
});

const namespace = 'core-system';
const deployments = `/apis/apps/v1/namespaces/${namespace}/deployments`;
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web:1' }] } },
  },
};

/** The client under way, and what it was told so far. */
function clientOf(path: string, kubeconfig: string) {
  const script = fileURLToPath(new URL('python.py', import.meta.url));
  const child = spawn(path, [script, kubeconfig, namespace]);
  let out = '';
  let trouble = '';
  child.stdout.on('data', (text: Buffer) => (out += text.toString()));
  child.stderr.on('data', (text: Buffer) => (trouble += text.toString()));
  return {
    ended: once(child, 'close').then(([code]) => assert.is(code, 0, trouble)),
    stop: () => child.kill('SIGKILL'),
    told: () =>
      out
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Json),
  };
}

unless(spec, python === undefined ? 'python3 has no package kubernetes' : null)(
  'lists the nodes and watches a Deployment from its creation to its end',
  async () => {
    const cluster = await startedNodes();
    const controllers: ReturnType<typeof startControllers>[] = [];
    await eventually(() => cluster.store.list('/nodes').length === 3, 'there are three nodes');
    const client = clientOf(python ?? '', cluster.kubeconfigPath);
    try {
      assert.is((await cluster.send('POST', deployments, { body: deployment })).code, 201);
      const told = (what: string, is: (one: Json) => boolean) =>
        Promise.race([client.ended, eventually(() => client.told().some(is), `the client is told of ${what}`)]);
      await told('a Deployment of which nothing is reported', ({ available }) => available === null);
      controllers.push(startControllers(cluster.store, { ...clusterOptions, mode: 'simulated' }));
      await told('an available Deployment', ({ available }) => available === 1);
      await cluster.send('DELETE', `${deployments}/web`);
      await client.ended;
      const all = client.told();
      assert.equal(
        all.slice(0, 3),
        ['local-1', 'local-2', 'local-3'].map((node) => ({ node, system: 'linux' })),
      );
      assert.equal(all[3], { type: 'ADDED', name: 'web', available: null });
      assert.equal(all.at(-1), { type: 'DELETED', name: 'web', available: 1 });
    } finally {
      client.stop();
      await Promise.all(controllers.map(({ stop }) => stop()));
      await cluster.end();
    }
  },
);

spec.run();
