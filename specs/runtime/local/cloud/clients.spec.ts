import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as assert from 'uvu/assert';
import { type ServedCloud, servedCloud } from '../../../support/cloud/served.ts';
import { rootKey } from '../../../support/memory/cloud.ts';
import { suite } from '../../../support/suite.ts';
import { unless } from '../../../support/unless.ts';

const isThere = spawnSync('rclone', ['version']).status === 0;
const plain = suite('third-party clients of the embedded cloud');
const spec = unless(plain, isThere ? null : 'rclone is not installed');
const folder = mkdtempSync(join(tmpdir(), 'core-clients-'));
let cloud: ServedCloud | undefined;
plain.after(async () => {
  await cloud?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs rclone with settings of its own, and answers what it prints. */
async function rclone(...words: readonly string[]): Promise<string> {
  cloud ??= await servedCloud();
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    RCLONE_CONFIG: '/dev/null',
    RCLONE_RETRIES: '1',
    RCLONE_S3_PROVIDER: 'Other',
    RCLONE_S3_FORCE_PATH_STYLE: 'true',
    RCLONE_S3_ENDPOINT: cloud.url,
    RCLONE_S3_REGION: 'local',
    RCLONE_S3_ACCESS_KEY_ID: rootKey.accessKeyId,
    RCLONE_S3_SECRET_ACCESS_KEY: rootKey.secret,
  };
  const { stdout } = await promisify(execFile)('rclone', words, { env, encoding: 'utf8' });
  return stdout;
}

spec('rclone syncs, checks, copies on the server, uploads in parts, links and purges', async () => {
  const tree = join(folder, 'tree');
  mkdirSync(tree);
  mkdirSync(join(tree, 'a'));
  const big = Buffer.alloc(11 * 1_048_576, 'some bytes ');
  writeFileSync(join(tree, 'a', 'big'), big);
  writeFileSync(join(tree, 'small'), 'small');
  await rclone('mkdir', ':s3:core-one');
  await rclone('sync', tree, ':s3:core-one/tree');
  await rclone('check', '--download', tree, ':s3:core-one/tree');
  await rclone('copyto', ':s3:core-one/tree/a/big', ':s3:core-one/copied');
  await rclone('moveto', ':s3:core-one/tree/small', ':s3:core-one/moved');
  const inParts = ['--s3-upload-cutoff', '5M', '--s3-copy-cutoff', '5M', '--s3-chunk-size', '5M'];
  await rclone('copyto', ...inParts, join(tree, 'a', 'big'), ':s3:core-one/parts');
  await rclone('copyto', ...inParts, ':s3:core-one/parts', ':s3:core-one/copied-parts');
  for (const name of ['copied', 'parts', 'copied-parts']) {
    await rclone('copyto', `:s3:core-one/${name}`, join(folder, name));
    assert.ok(readFileSync(join(folder, name)).equals(big), name);
  }
  const linked = await fetch((await rclone('link', '--expire', '1h', ':s3:core-one/moved')).trim());
  assert.is(await linked.text(), 'small');
  const listed = (await rclone('lsf', '-R', '--files-only', ':s3:core-one')).trim().split('\n').toSorted();
  assert.equal(listed, ['copied', 'copied-parts', 'moved', 'parts', 'tree/a/big']);
  await rclone('purge', ':s3:core-one');
  assert.is(await rclone('lsd', ':s3:'), '');
});

plain.run();
