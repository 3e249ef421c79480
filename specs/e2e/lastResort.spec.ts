import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { leaseName, leases } from '../../runtime/lead/leaseRecord.ts';
import { run, startProduct } from '../support/product.ts';
import { suite } from '../support/suite.ts';
import { until } from '../support/until.ts';

const spec = suite('uncaught errors in the product');
const folder = mkdtempSync(join(tmpdir(), 'core-uncaught-'));
spec.after(() => rmSync(folder, { recursive: true }));

/** Loaded before the program: each signal throws in its main thread, and in its worker thread where it is wanted. */
const faults = `
const { BroadcastChannel, isMainThread } = require('node:worker_threads');
const channel = new BroadcastChannel('faults');
channel.unref();
const fail = (where) => setTimeout(() => { throw new Error('thrown in the ' + where); });
if (isMainThread) process.on('SIGUSR2', () => process.env.FAULTS === 'worker' ? channel.postMessage('') : fail('main thread'));
else channel.onmessage = () => fail('worker thread');
`;
function faultsIn(where: 'main' | 'worker'): Readonly<Record<string, string>> {
  const file = join(folder, 'faults.cjs');
  writeFileSync(file, faults);
  return { NODE_OPTIONS: `--require ${file}`, FAULTS: where };
}

const isDead = (pid: number) => {
  try {
    return !process.kill(pid, 0);
  } catch {
    return true;
  }
};

spec('the tenth uncaught error within a minute releases the lease and exits with 1', async () => {
  const cluster = await startProduct({ args: ['--role', 'cluster'] });
  const kubeconfig = cluster.endpoints.operatorKubeconfig ?? '';
  const core = await startProduct({ args: ['--kubeconfig', kubeconfig], env: faultsIn('main') });
  const holder = async () =>
    (await run(cluster.cluster.list(leases))).items.find(({ metadata }) => metadata.name === leaseName)?.spec
      ?.holderIdentity ?? '';
  try {
    await until(async () => (await holder()) !== '', 'it leads');
    for (let error = 1; error <= 9; error++) {
      process.kill(core.pid, 'SIGUSR2');
      await until(() => core.stderr().split('"uncaught error"').length === error + 1, `error ${error} is logged`);
    }
    assert.is((await fetch(core.endpoints.dashboard ?? '')).status, 200);
    const metrics = await (await fetch(new URL('/metrics', core.endpoints.metrics ?? ''))).text();
    assert.match(metrics, 'core_uncaught_errors_total{from="process"} 9');
    process.kill(core.pid, 'SIGUSR2');
    await until(() => isDead(core.pid), 'it exits');
    assert.is(await core.end('SIGTERM'), 1);
    assert.is(await holder(), '');
    assert.match(core.stderr(), '"too many uncaught errors"');
  } finally {
    await core.end('SIGKILL');
    await cluster.end('SIGTERM');
    core.clean();
    cluster.clean();
  }
});

spec('an error in the worker thread is logged and counted, and the cluster in it keeps running', async () => {
  const core = await startProduct({ env: faultsIn('worker') });
  try {
    process.kill(core.pid, 'SIGUSR2');
    await until(() => core.stderr().includes('thrown in the worker thread'), 'it is logged');
    await until(async () => {
      const metrics = await (await fetch(new URL('/metrics', core.endpoints.metrics ?? ''))).text();
      return metrics.includes('core_uncaught_errors_total{from="process"} 1');
    }, 'it is counted');
    assert.ok((await run(core.cluster.list(leases))).items.length > 0);
  } finally {
    await core.end('SIGTERM');
    core.clean();
  }
});

spec.run();
