import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { openDisk } from '../../runtime/embedded/api/store/disk.ts';
import { createStore } from '../../runtime/embedded/api/store/store.ts';
import { suite } from '../support/suite.ts';

const spec = suite('crash');
const writer = fileURLToPath(new URL('writer.ts', import.meta.url));

/** Lets a child write until it has told of so many names, then kills it; answers with all that it told are stored. */
function killedWhileWriting(dir: string, after: number): Promise<readonly string[]> {
  const acknowledged: string[] = [];
  const child = fork(writer, [dir], { execArgv: ['--import', 'tsx'] });
  child.on('message', (name) => {
    if (typeof name === 'string') acknowledged.push(name);
    if (acknowledged.length === after) child.kill('SIGKILL');
  });
  return new Promise((done) => child.once('exit', () => done(acknowledged)));
}

spec('no acknowledged write is lost by kill -9, and the versions go on from the last', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'core-crash-'));
  const known: string[] = [];
  for (const after of [3, 100]) {
    known.push(...(await killedWhileWriting(dir, after)));
    const store = createStore(openDisk(dir));
    const objects = store.list('/configmaps');
    const found = new Set(objects.map(({ metadata }) => metadata.name));
    assert.equal(
      known.filter((name) => !found.has(name)),
      [],
    );
    const newest = Math.max(...objects.map(({ metadata }) => Number(metadata.resourceVersion)));
    assert.is(store.revision(), newest);
    await store.close();
  }
  assert.ok(known.length >= 103, `${known.length} writes were acknowledged`);
  rmSync(dir, { recursive: true });
});

spec.run();
