import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open } from 'lmdb';
import * as assert from 'uvu/assert';
import { logLine } from '../../../runtime/services/log.ts';
import { openDisk } from '../../../runtime/embedded/api/store/disk.ts';
import { createStore } from '../../../runtime/embedded/api/store/store.ts';
import { suite } from '../../support/suite.ts';
import { configMap } from './started.ts';

interface World {
  readonly root: string;
  /** A folder with the objects of a store that ran. */
  readonly good: string;
}

const remedy = 'restore a backup of the data directory';
const spec = suite<World>('an unusable data directory');

spec.before(async (context) => {
  const root = mkdtempSync(join(tmpdir(), 'core-bad-data-'));
  const good = join(root, 'good');
  const store = createStore(openDisk(good), logLine);
  for (let count = 0; count < 50; count += 1) {
    const name = `x${count}`;
    await store.create({ bucket: '/configmaps', namespace: 'a', name }, configMap(name, { text: 'x'.repeat(2_000) }));
  }
  await store.close();
  Object.assign(context, { root, good });
});
spec.after(({ root }) => rmSync(root, { recursive: true }));

/** What is said when a copy, changed, is opened; the copy must be left as it was. */
async function refusal({ root, good }: World, change: (file: string) => unknown): Promise<string> {
  const dir = mkdtempSync(join(root, 'copy-'));
  cpSync(good, dir, { recursive: true });
  const file = join(dir, 'objects.mdb');
  await change(file);
  const before = readFileSync(file);
  const names = readdirSync(dir);
  try {
    await createStore(openDisk(dir), logLine).close();
    return '';
  } catch (why) {
    assert.ok(readFileSync(file).equals(before), 'the file is as it was');
    assert.equal(readdirSync(dir), names);
    return why instanceof Error ? `${why.name}: ${why.message.replaceAll(file, 'FILE')}` : '';
  }
}

async function rewritten(file: string, change: (root: ReturnType<typeof open>) => unknown): Promise<void> {
  const root = open({ path: file, maxDbs: 3 });
  await change(root);
  await root.close();
}

spec('an undamaged data directory is opened', async (world) => {
  assert.is(await refusal(world, () => {}), '');
  assert.is(await refusal(world, (file) => writeFileSync(file, '')), '', 'an empty file is a beginning');
});

spec('a truncated or foreign file is refused in one line and not touched', async (world) => {
  const { length } = readFileSync(join(world.good, 'objects.mdb'));
  assert.is(
    await refusal(world, (file) => truncateSync(file, 16_384)),
    `BadData: FILE is damaged: 16384 of its ${length} bytes are there; ${remedy}`,
  );
  assert.is(
    await refusal(world, (file) => writeFileSync(file, 'garbage'.repeat(5_000))),
    'BadData: FILE is not a database of Core, or is damaged',
  );
  assert.match(await refusal(world, (file) => truncateSync(file, 4_100)), /its second page cannot be read/);
});

spec('garbage in any page is refused or damages no object', async (world) => {
  const whole = readFileSync(join(world.good, 'objects.mdb'));
  const said: string[] = [];
  for (let page = 2; page * 4_096 < whole.length; page += 1)
    said.push(
      await refusal(world, (file) => {
        const garbage = Buffer.from(whole);
        garbage.fill('garbage!', page * 4_096, Math.min((page + 1) * 4_096, whole.length));
        writeFileSync(file, garbage);
      }),
    );
  const refused = said.filter((words) => words !== '');
  assert.equal(
    refused.filter((words) => !/^BadData: (FILE|objects\.mdb) is damaged: /.test(words)),
    [],
  );
  assert.ok(refused.length > 25, `only ${refused.length} of ${said.length} were refused`);
});

/** In every page of a tree, old ones too: where the value of the first object is, that of the second is as well. */
function crossed(file: string): void {
  const [pageBytes, headerBytes, nodeBytes] = [4_096, 24, 8];
  const [leaf, valueElsewhere] = [2, 1];
  const bytes = readFileSync(file);
  for (let page = 2 * pageBytes; page < bytes.length; page += pageBytes) {
    if (bytes.readUInt16LE(page + 18) !== leaf || bytes.readUInt16LE(page + 20) < 4) continue;
    const nodes = [0, 2].map((at) => page + headerBytes + bytes.readUInt16LE(page + headerBytes + at));
    if (nodes.some((node) => bytes.readUInt16LE(node + 4) !== valueElsewhere)) continue;
    const [first = 0, second = 0] = nodes.map((node) => node + nodeBytes + bytes.readUInt16LE(node + 6));
    bytes.copy(bytes, second, first, first + 8);
  }
  writeFileSync(file, bytes);
}

spec('a database in which two objects share a page is refused', async (world) => {
  assert.match(await refusal(world, crossed), /^BadData: FILE is damaged: page \d+ stands in a tree twice; /);
});

spec('a database without the tables of Core is refused', async (world) => {
  const said = await refusal(world, async (file) => {
    writeFileSync(file, '');
    await rewritten(file, (root) => root.put('theirs', 1));
  });
  assert.is(said, 'BadData: FILE is not a database of Core');
});

spec('a data directory of a newer format is refused', async (world) => {
  const said = await refusal(world, (file) =>
    rewritten(file, (root) => root.openDB({ name: 'about', encoding: 'json' }).put('format', 2)),
  );
  assert.is(said, 'BadData: FILE was written by a newer version: data format 2, this one reads up to 1');
});

const kept = configMap('x7');
const metadata = { name: 'x7', namespace: 'a', uid: 'u', resourceVersion: '3', creationTimestamp: '' };
const damagedRecords: Readonly<Record<string, string>> = {
  'cut short': '{"kind"',
  empty: '',
  'another value': '[]',
  'without metadata': JSON.stringify(kept),
  'of another name': JSON.stringify({ ...kept, metadata: { ...metadata, name: 'x8' } }),
  'of another namespace': JSON.stringify({ ...kept, metadata: { ...metadata, namespace: 'b' } }),
  'without a uid': JSON.stringify({ ...kept, metadata: { ...metadata, uid: undefined } }),
  'without a version': JSON.stringify({ ...kept, metadata: { ...metadata, resourceVersion: 'x' } }),
  'of a version to come': JSON.stringify({ ...kept, metadata: { ...metadata, resourceVersion: '5000' } }),
};

spec('an unreadable object is refused by name', async (world) => {
  const put = (text: string) => (file: string) =>
    rewritten(file, (root) => root.openDB({ name: 'objects', encoding: 'string' }).put('/configmaps/a/x7', text));
  assert.is(await refusal(world, put(JSON.stringify({ ...kept, metadata }))), '', 'a whole one is read');
  for (const [how, text] of Object.entries(damagedRecords))
    assert.is(
      await refusal(world, put(text)),
      `BadData: objects.mdb is damaged: the object /configmaps/a/x7 cannot be read; ${remedy}`,
      how,
    );
});

spec('a file in place of the folder is reported as such', ({ root }) => {
  const dir = join(root, 'file');
  writeFileSync(dir, '');
  assert.throws(() => openDisk(dir), /EEXIST/);
});

spec.run();
