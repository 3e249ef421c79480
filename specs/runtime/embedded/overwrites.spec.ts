import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { type Entry, openDisk } from '../../../runtime/embedded/api/store/disk.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('overwrites');
const names = 60;
const rounds = 120;

/** In every round some objects are written anew, short or over several pages, and some are forgotten. */
const change = fc.record({
  name: fc.integer({ min: 0, max: names - 1 }),
  size: fc.oneof(fc.constant(null), fc.integer({ min: 1, max: 900 }), fc.integer({ min: 3_000, max: 20_000 })),
});

spec('the database file reuses the space of overwritten and deleted objects and opens after every round', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'core-overwrites-'));
  const kept = new Map<string, number>();
  const sizes: number[] = [];
  let disk = openDisk(dir);
  const changes = fc.sample(fc.array(change, { minLength: 30, maxLength: 40 }), rounds);
  for (const [round, some] of changes.entries()) {
    const entries: readonly Entry[] = some.map(({ name, size }) => ({
      place: { bucket: '/configmaps', namespace: 'a', name: `x${name}` },
      text: size === null ? null : JSON.stringify({ round, text: 'x'.repeat(size) }),
    }));
    for (const { place, text } of entries)
      if (text === null) kept.delete(place.name);
      else kept.set(place.name, text.length);
    await disk.write(entries, round + 1);
    sizes.push(statSync(join(dir, 'objects.mdb')).size);
    if (round % 10 !== 0) continue;
    await disk.close();
    disk = openDisk(dir);
    const found = new Map([...disk.load()].map(({ place, text }) => [place.name, text.length]));
    assert.equal(found, kept);
  }
  await disk.close();
  const most = names * 24_576;
  assert.ok(Math.max(...sizes) < 3 * most, `the file grew to ${Math.max(...sizes)} bytes`);
  const written = changes.flat().reduce((sum, { size }) => sum + (size ?? 0), 0);
  assert.ok(written > 4 * most, `only ${written} bytes were written`);
  rmSync(dir, { recursive: true });
});

spec.run();
