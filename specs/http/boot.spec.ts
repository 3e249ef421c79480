import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { crc32 } from 'node:zlib';
import { build } from 'esbuild';
import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';

const x = suite('start from cached code');

let folder = '';
const bundle = () => join(folder, 'small.bundle.js');
const code = () => `${bundle()}.code`;

/** Two programs of the same length. */
const [first, second] = ["process.stdout.write('first');", "process.stdout.write('other');"] as const;

x.before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'core-boot-'));
  await build({
    entryPoints: [fileURLToPath(new URL('../../http/program/boot.ts', import.meta.url))],
    outfile: join(folder, 'small.js'),
    bundle: true,
    format: 'cjs',
    platform: 'node',
    define: { CORE_BUNDLE: '"small.bundle.js"' },
  });
});
x.after(() => rmSync(folder, { recursive: true, force: true }));
x.before.each(() => {
  writeFileSync(bundle(), first);
  rmSync(code(), { recursive: true, force: true });
  assert.is(said({ CORE_KEEP_CODE: '1' }), 'first');
});

function said(env: NodeJS.ProcessEnv = {}, ...flags: readonly string[]): string {
  const { stdout, stderr, status } = spawnSync(process.execPath, [...flags, join(folder, 'small.js')], {
    env: { PATH: process.env['PATH'], ...env },
    encoding: 'utf8',
  });
  assert.is(status, 0, stderr);
  return stdout;
}

/** Cached code with a valid checksum for a program. */
function summed(source: string, kept: Buffer): Buffer {
  const sum = Buffer.alloc(4);
  sum.writeUInt32LE(crc32(kept, crc32(source)));
  return Buffer.concat([sum, kept]);
}

x('a start runs the cached code instead of the text', () => {
  writeFileSync(bundle(), second);
  writeFileSync(code(), summed(second, readFileSync(code()).subarray(4)));
  assert.is(said(), 'first');
});

x('a start runs the text when the cached code is of another text of the same length', () => {
  writeFileSync(bundle(), second);
  assert.is(said(), 'other');
});

x('a start runs the text when the cached code is damaged, incomplete or unreadable', () => {
  const whole = readFileSync(code());
  for (const at of [0, 4, 20, Math.floor(whole.length / 2), whole.length - 1]) {
    const damaged = Buffer.from(whole);
    damaged.writeUInt8((whole[at] ?? 0) ^ 0x10, at);
    writeFileSync(code(), damaged);
    assert.is(said(), 'first', `damaged at ${at}`);
  }
  for (const length of [0, 3, 4, Math.floor(whole.length / 2)]) {
    writeFileSync(code(), whole.subarray(0, length));
    assert.is(said(), 'first', `${length} bytes`);
  }
  rmSync(code());
  mkdirSync(code());
  assert.is(said(), 'first', 'a folder');
});

x('a start runs the source when V8 rejects the cached code for its version or flags', () => {
  const kept = readFileSync(code()).subarray(4);
  // Its second word holds the version of V8.
  kept.writeUInt32LE(kept.readUInt32LE(4) ^ 1, 4);
  writeFileSync(bundle(), second);
  writeFileSync(code(), summed(second, kept));
  assert.is(said(), 'other');
  writeFileSync(bundle(), first);
  assert.is(said({ CORE_KEEP_CODE: '1' }), 'first');
  writeFileSync(bundle(), second);
  writeFileSync(code(), summed(second, readFileSync(code()).subarray(4)));
  assert.is(said({}, '--no-lazy-feedback-allocation'), 'other');
});

x.run();
