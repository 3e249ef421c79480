import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { startFailureMessage } from '../../../http/program/startFailure.ts';
import { restoreBackup } from '../../../runtime/embedded/backup/restore.ts';
import { writeBackup } from '../../../runtime/embedded/backup/write.ts';
import { mountSmallDisk, whereDisksAreOurs } from '../../support/smallDisk.ts';
import { suite } from '../../support/suite.ts';
import { unless } from '../../support/unless.ts';
import { configMap, inSystem, started } from './started.ts';

const noDisks = whereDisksAreOurs(import.meta.url);
const spec = suite('backup and restore on a full disk');
const onDisk = unless(spec, noDisks);
const root = mkdtempSync(join(tmpdir(), 'core-backup-disk-'));
spec.after(() => rmSync(root, { recursive: true }));

const maps = `${inSystem}/configmaps`;
const objects = 24;
const objectBytes = 200_000;

/** What a user is told. */
const complaint = (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => 'nothing failed',
    (why: unknown) => startFailureMessage(why) ?? `a mistake of ours: ${String(why)}`,
  );

onDisk('a backup without disk space leaves no file, and the cluster keeps running', async () => {
  const api = await started();
  for (let count = 0; count < objects; count += 1)
    await api.send('POST', maps, {
      body: configMap(`large-${count}`, { value: randomBytes(objectBytes / 2).toString('hex') }),
    });
  const disk = mountSmallDisk(16);
  try {
    for (const spare of [0, 65_536, 1_000_000]) {
      disk.fill(spare);
      assert.match(
        await complaint(writeBackup(api.dataDir, join(disk.path, 'full'))),
        /full cannot be written: .*ENOSPC/,
      );
      assert.equal(readdirSync(disk.path), ['ballast'], 'neither the backup nor a part of it');
    }
    disk.free();
    assert.is((await api.send('POST', maps, { body: configMap('after') })).code, 201);
    const file = join(root, 'whole.backup');
    await writeBackup(api.dataDir, file);
    await writeBackup(api.dataDir, join(disk.path, 'full'));
  } finally {
    disk.clean();
    await api.end();
  }
});

onDisk('a restore without disk space leaves no file, and succeeds with space', async () => {
  const file = join(root, 'whole.backup');
  const whole = readFileSync(file);
  const disk = mountSmallDisk(32);
  const dataDir = join(disk.path, 'data');
  try {
    for (const spare of [0, 40_960, 65_536, 73_728, 81_920, 131_072, 400_000, 3_000_000]) {
      disk.fill(spare);
      const said = await complaint(restoreBackup(file, dataDir));
      assert.match(said, /space|ENOSPC|full/i, `${spare} bytes`);
      assert.equal(readdirSync(disk.path), ['ballast'], `${spare} bytes`);
    }
    disk.free();
    mkdirSync(dataDir);
    disk.fill(1_000_000);
    assert.match(await complaint(restoreBackup(file, dataDir)), /space|ENOSPC|full/i);
    assert.equal(readdirSync(dataDir), [], 'a folder that was there stays, empty');
    disk.free();
    await restoreBackup(file, dataDir);
    assert.ok(readFileSync(file).equals(whole), 'the backup is as it was');
    const api = await started({ dataDir });
    assert.is((await api.send('GET', `${maps}/large-${objects - 1}`)).code, 200);
    assert.is((await api.send('GET', `${maps}/after`)).code, 200);
    await api.end();
  } finally {
    disk.clean();
  }
});

spec.run();
