import * as assert from 'uvu/assert';
import { logLine } from '../../../runtime/services/log.ts';
import { health, isHealthPath } from '../../../runtime/embedded/api/health.ts';
import { createRegistry } from '../../../runtime/embedded/api/kinds/registry.ts';
import { StatusError } from '../../../runtime/embedded/api/status.ts';
import { openDisk } from '../../../runtime/embedded/api/store/disk.ts';
import { type ApiStore, createStore } from '../../../runtime/embedded/api/store/store.ts';
import { ensureNamespaces } from '../../../runtime/embedded/api/namespaces.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from '../../support/suite.ts';

const spec = suite<{ folder: string; store: ApiStore }>('health');
spec.before(async (context) => {
  context.folder = mkdtempSync(join(tmpdir(), 'core-health-'));
  context.store = createStore(openDisk(join(context.folder, 'objects')), logLine);
  await ensureNamespaces(context.store, 'core-system');
});
spec.after(async ({ folder, store }) => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

function asked(store: ApiStore, path: string, query = '', isStopping = false) {
  const registry = createRegistry(store);
  const answer = health(path, new URLSearchParams(query), { store, registry, isStopping: () => isStopping });
  registry.stop();
  if ('stream' in answer) throw new Error('a stream');
  return { code: answer.code, lines: answer.text.trimEnd().split('\n') };
}

spec('checks that are not ready are listed by name and can be excluded', ({ store }) => {
  const roles = 'poststarthook/rbac/bootstrap-roles';
  const { code, lines } = asked(store, '/readyz');
  assert.is(code, 500);
  assert.ok(lines.includes(`[-]${roles} failed: reason withheld`) && lines.includes('[+]etcd ok'));
  assert.is(lines.at(-1), 'readyz check failed');
  assert.equal(asked(store, '/readyz', `exclude=${roles}`), { code: 200, lines: ['ok'] });
  assert.is(asked(store, `/readyz/${roles}`).code, 500);
  assert.equal(asked(store, '/readyz/etcd'), { code: 200, lines: ['ok'] });
});

spec('a stopping server is alive and not ready', ({ store }) => {
  const without = 'exclude=poststarthook/rbac/bootstrap-roles';
  assert.is(asked(store, '/livez', without, true).code, 200);
  const { code, lines } = asked(store, '/readyz', without, true);
  assert.equal([code, lines.includes('[-]shutdown failed: reason withheld')], [500, true]);
});

spec('an unknown health check is 404', ({ store }) => {
  assert.throws(
    () => asked(store, '/livez/shutdown'),
    (why: unknown) => why instanceof StatusError && why.body.code === 404,
  );
  assert.equal(['/livez', '/readyz/etcd', '/livezz', '/api'].map(isHealthPath), [true, true, false, false]);
});

spec.run();
