import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import * as assert from 'uvu/assert';
import { restoreBackup } from '../../../runtime/embedded/backup/restore.ts';
import { writeBackup } from '../../../runtime/embedded/backup/write.ts';
import { textAt } from '../../../runtime/embedded/api/json.ts';
import { suite } from '../../support/suite.ts';
import { configMap, inSystem, started } from './started.ts';

interface World {
  readonly root: string;
}

const spec = suite<World>('backup and restore');
spec.before((context) => {
  Object.assign(context, { root: mkdtempSync(join(tmpdir(), 'core-backup-')) });
});
spec.after(({ root }) => rmSync(root, { recursive: true }));

const maps = `${inSystem}/configmaps`;
const failure = (asked: Promise<unknown>) =>
  asked.then(
    () => 'nothing failed',
    (why: unknown) => (why instanceof Error ? why.message : ''),
  );

spec(
  'a backup of a running API holds all earlier acknowledged writes, and versions rise after a restore',
  async ({ root }) => {
    const api = await started();
    const file = join(root, 'one.backup');
    for (let count = 0; count < 20; count += 1) await api.send('POST', maps, { body: configMap(`early-${count}`) });
    let writing = true;
    const writer = (async () => {
      for (let count = 0; writing; count += 1) await api.send('POST', maps, { body: configMap(`late-${count}`) });
    })();
    await writeBackup(api.dataDir, file);
    writing = false;
    await writer;
    const { body: last } = await api.send('POST', maps, { body: configMap('after') });
    const version = textAt(last, 'metadata', 'resourceVersion');

    const dataDir = join(root, 'restored');
    await restoreBackup(file, dataDir);
    const again = await started({ dataDir });
    assert.is(again.token, api.token, 'who had access has it still');
    for (let count = 0; count < 20; count += 1)
      assert.is((await again.send('GET', `${maps}/early-${count}`)).code, 200);
    assert.is((await again.send('GET', `${maps}/after`)).code, 404);
    const { body: next } = await again.send('POST', maps, { body: configMap('next') });
    assert.ok(Number(textAt(next, 'metadata', 'resourceVersion')) > Number(version));
    const watch = await again.watch(`${maps}?watch=true&resourceVersion=${version}`);
    const [event] = await watch.next(1);
    assert.is(event?.['type'], 'ERROR');
    assert.is(textAt(event, 'object', 'reason'), 'Expired', 'whoever watched before lists anew');
    watch.stop();
    await again.end();
    await api.end();
  },
);

spec('a restore over existing data or from a damaged backup is refused and leaves no files', async ({ root }) => {
  const dataDir = join(root, 'target');
  const whole = readFileSync(join(root, 'one.backup'));
  const bad = join(root, 'bad.backup');
  const attempt = async (content: Buffer) => {
    writeFileSync(bad, content);
    const said = await failure(restoreBackup(bad, dataDir));
    assert.equal(existsSync(dataDir) ? readdirSync(dataDir) : [], []);
    return said;
  };
  assert.match(await attempt(whole.subarray(0, whole.length / 2)), /cannot be read|cut short|damaged/);
  assert.match(await attempt(Buffer.from('no backup')), /cannot be read|damaged/);
  const lines = gunzipSync(whole).toString().trimEnd().split('\n');
  const zipped = (kept: readonly string[]) => gzipSync(`${kept.join('\n')}\n`);
  assert.match(await attempt(zipped(lines.slice(0, -1))), /its end is missing/);
  assert.match(await attempt(zipped(lines.filter((_, index) => index !== 3))), /no backup of Core, or is damaged/);
  const outside = JSON.stringify({ is: 'file', path: '../escaped', mode: 0o600, data: 'aGk=' });
  assert.match(await attempt(zipped([...lines.slice(0, 1), outside])), /no backup/);
  assert.not.ok(existsSync(join(root, 'escaped')));
  assert.match(await attempt(zipped(['{"is":"head","format":99}'])), /newer version/);
  assert.not.ok(existsSync(dataDir), 'a folder that was made for it goes too');
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, 'mine'), '');
  assert.match(await failure(restoreBackup(join(root, 'one.backup'), dataDir)), /is not empty/);
  assert.equal(readdirSync(dataDir), ['mine']);
  assert.match(await failure(writeBackup(dataDir, join(root, 'x'))), /holds no embedded cluster/);
});

spec.run();
