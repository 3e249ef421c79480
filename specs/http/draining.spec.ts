import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { inDataDir } from '../../http/program/dataDir.ts';
import { makeDraining } from '../../http/program/draining.ts';
import { settingsOf } from '../../http/program/settings.ts';
import { suite } from '../support/suite.ts';

const spec = suite('draining before a stop');

const drainingOf = (args: readonly string[], env: Readonly<Record<string, string>>) => {
  const told: string[] = [];
  const resign = async () => void told.push('resigned');
  return { told, ...makeDraining(settingsOf(args, env), resign) };
};

spec('a process in a pod releases the lease and serves for five more seconds, also with a data directory', async () => {
  const { told, stops, drain } = drainingOf([], { KUBERNETES_SERVICE_HOST: '10.96.0.1' });
  const dataDir = mkdtempSync(join(tmpdir(), 'core-draining-'));
  const stop = async () => void told.push('stopped');
  const running = await inDataDir(dataDir, async () => ({ stop, drain }));
  assert.is(stops(), false);
  const from = performance.now();
  const drained = running.drain?.();
  assert.equal([stops(), told], [true, ['resigned']]);
  await drained;
  assert.ok(performance.now() - from > 4_900);
  await running.stop();
  assert.equal(told, ['resigned', 'stopped']);
  rmSync(dataDir, { recursive: true });
});

spec('a process outside a pod stops without draining', () => {
  assert.is(drainingOf([], {}).drain, undefined);
  assert.is(drainingOf(['--kubeconfig', '/tmp/none'], {}).drain, undefined);
});

spec.run();
