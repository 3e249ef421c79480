import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open } from 'lmdb';
import * as assert from 'uvu/assert';
import { openCommits } from '../../../runtime/embedded/api/store/commits.ts';
import { openDisk } from '../../../runtime/embedded/api/store/disk.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('commits');
const place = (name: string) => ({ bucket: '/configmaps', namespace: 'a', name });

/** What lmdb's thread rejects with: why it failed is told in a promise, somewhat later. */
function failed(why: string): Error {
  const commitError = new Promise((_, tell) => setImmediate(() => tell(new Error(why))));
  return Object.assign(new Error('Commit failed (see commitError for details)'), { commitError });
}

spec('commits run on the event loop after a failed commit, until one succeeds', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'core-commits-'));
  const root = open<number, string>({ path: join(dir, 'x.mdb'), eventTurnBatching: false, overlappingSync: false });
  const ways: string[] = [];
  let broken = false;
  const commit = openCommits({
    batch: async (ask: () => void) => {
      ways.push('thread');
      if (broken) throw failed('EIO');
      return root.batch(ask);
    },
    transactionSync: <T>(ask: () => T) => {
      ways.push('loop');
      if (broken) throw new Error('gave up');
      return root.transactionSync(ask);
    },
  });
  const why = (asked: Promise<void>) =>
    asked.then(
      () => '',
      (error: unknown) => String(error),
    );
  const put = (value: number) => commit(() => void root.put('a', value));
  assert.is(await why(put(1)), '');
  broken = true;
  assert.is(await why(put(2)), 'Error: EIO');
  assert.is(await why(put(3)), 'Error: gave up');
  broken = false;
  assert.is(await why(put(4)), '');
  assert.is(root.get('a'), 4);
  assert.is(await why(put(5)), '');
  assert.is(root.get('a'), 5);
  assert.equal(ways, ['thread', 'thread', 'loop', 'loop', 'thread']);
  await root.close();
  rmSync(dir, { recursive: true });
});

spec('an entry that cannot be stored fails all entries of its request', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'core-commits-'));
  const disk = openDisk(dir);
  await disk.write([{ place: place('before'), text: 'b' }], 1);
  const asked = [place('beside'), place('x'.repeat(3_000))].map((at) => ({ place: at, text: 'x' }));
  const why = await disk.write(asked, 3).catch((error: unknown) => String(error));
  assert.match(why ?? '', /too long/);
  await disk.write([{ place: place('after'), text: 'a' }], 4);
  assert.equal(
    [...disk.load()].map((entry) => entry.place.name),
    ['after', 'before'],
  );
  await disk.close();
  rmSync(dir, { recursive: true });
});

spec.run();
