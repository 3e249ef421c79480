import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { logLine } from '../../../runtime/services/log.ts';
import { openDisk } from '../../../runtime/embedded/api/store/disk.ts';
import { createStore } from '../../../runtime/embedded/api/store/store.ts';
import { textAt } from '../../../runtime/embedded/api/json.ts';
import { programOf } from '../../support/program.ts';
import { suite } from '../../support/suite.ts';
import { configMap, started } from './started.ts';

const spec = suite('crash');
const writer = programOf(new URL('writer.ts', import.meta.url));

/** Lets a child write until it has told of so many names, then kills it; answers with all that it told are stored. */
function killedWhileWriting(dir: string, after: number): Promise<readonly string[]> {
  const acknowledged: string[] = [];
  const child = spawn(process.execPath, [...writer, dir], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  child.on('message', (name) => {
    if (typeof name === 'string') acknowledged.push(name);
    if (acknowledged.length === after) child.kill('SIGKILL');
  });
  return new Promise((done) => child.once('exit', () => done(acknowledged)));
}

spec('no acknowledged write is lost by kill -9, and versions continue from the last one', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'core-crash-'));
  const known: string[] = [];
  for (const after of [3, 100]) {
    known.push(...(await killedWhileWriting(dir, after)));
    const store = createStore(openDisk(dir), logLine);
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

spec('versions continue after kill -9, and an old watch resumes from the last one or gets 410', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'core-crash-watch-'));
  const path = '/api/v1/namespaces/core-system/configmaps';
  let newest = 0;
  for (const after of [1, 40, 5]) {
    await killedWhileWriting(join(dataDir, 'objects'), after);
    const store = createStore(openDisk(join(dataDir, 'objects')), logLine);
    assert.ok(store.revision() > newest, `${store.revision()} comes after ${newest}`);
    newest = store.revision();
    await store.close();
  }
  const api = await started({ dataDir });
  const { body } = await api.send('GET', path);
  const last = Number(textAt(body, 'metadata', 'resourceVersion'));
  assert.ok(last >= newest);
  const early = await api.watch(`${path}?watch=true&resourceVersion=${newest - 1}`);
  const [refusal] = await early.next(1);
  assert.is(textAt(refusal, 'object', 'reason'), 'Expired', 'changes of before the crash are told by a list alone');
  const going = await api.watch(`${path}?watch=true&resourceVersion=${last}`);
  const made = await api.send('POST', path, { body: configMap('next') });
  const [event] = await going.next(1);
  assert.is(textAt(event, 'object', 'metadata', 'name'), 'next');
  assert.ok(Number(textAt(made.body, 'metadata', 'resourceVersion')) > last);
  going.stop();
  await api.end();
  rmSync(dataDir, { recursive: true });
});

spec.run();
