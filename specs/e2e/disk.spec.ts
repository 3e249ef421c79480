import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { builds } from '../../runtime/services/cluster/kinds.ts';
import { mountSmallDisk, type SmallDisk, whereDisksAreOurs } from '../support/smallDisk.ts';
import { type Outcome, outcomeOf } from '../soak/processes.ts';
import { type Product, root, run, startProduct } from '../support/product.ts';
import { isWhole } from '../support/share.ts';
import { suite } from '../support/suite.ts';
import { unless } from '../support/unless.ts';
import { until } from '../support/until.ts';
import { userBuild, padded } from '../support/environment.ts';

const noDisks = whereDisksAreOurs(import.meta.url);
const spec = suite('full disks and read-only data directories');
const onWhole = isWhole ? null : 'more of what a disk may do is played by `npm run whole`';
const wholeDisk = unless(spec, noDisks ?? onWhole);
const free = ['--port', '--health-port', '--metrics-port', '--kube-port', '--git-port', '--cloud-port'].flatMap(
  (flag) => [flag, '0'],
);

/** What a start that cannot be says to its user, and its exit code. */
const refusal = (dataDir: string) =>
  new Promise<{ readonly code: unknown; readonly lines: readonly string[] }>((ended) =>
    execFile(
      process.execPath,
      ['dist/core.js', 'start', ...free, '--data-dir', dataDir],
      { cwd: root, timeout: 120_000 },
      (error, _, said) =>
        ended({
          code: error?.code ?? error?.signal ?? 0,
          lines: said.split('\n').filter((line) => line !== '' && !line.startsWith('{"time"')),
        }),
    ),
  );
const isRefused = async (dataDir: string, words: RegExp) => {
  const { code, lines } = await refusal(dataDir);
  assert.is(lines.length, 1, `one line is said: ${lines.join('\n')}`);
  assert.match(lines[0] ?? '', words);
  assert.is(code, 2);
};

const make = (product: Product, name: string, pad = 0) =>
  outcomeOf(product.cluster.create(builds, padded(userBuild(name, { app: name }), 'x'.repeat(pad))));
const names = async (product: Product) =>
  (await run(product.cluster.list(builds))).items.map(({ metadata }) => metadata.name).toSorted();

/** Creates builds until one is refused; the names that were acknowledged, and the refusal. */
async function makeUntilRefused(product: Product, prefix: string, pad: number) {
  const made: string[] = [];
  for (let index = 0; index < 2_000; index++) {
    const name = `${prefix}-${String(index).padStart(4, '0')}`;
    const outcome = await make(product, name, pad);
    if (outcome.is !== 'done') return { made, refused: name, outcome };
    made.push(name);
  }
  throw new Error('nothing was refused');
}

const toldWhy = (outcome: Outcome<unknown>) => (outcome.is === 'done' ? '' : outcome.why);

spec('a file in place of the data directory is reported in one line', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'core-nodir-'));
  writeFileSync(join(dir, 'taken'), '');
  try {
    await isRefused(join(dir, 'taken'), /taken/);
    await isRefused(join(dir, 'taken', 'below'), /taken/);
    mkdirSync(join(dir, 'half'));
    writeFileSync(join(dir, 'half', 'objects'), '');
    await isRefused(join(dir, 'half'), /objects/);
    assert.equal(readdirSync(join(dir, 'half')).includes('endpoints.json'), false, 'nothing says that it runs');
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});

wholeDisk('a read-only data directory is reported in one line and used when it is writable', async () => {
  const disk = mountSmallDisk(64);
  const dataDir = join(disk.path, 'data');
  try {
    disk.readOnly(true);
    await isRefused(dataDir, /read-only|EROFS/);
    disk.readOnly(false);
    let product = await startProduct({ dataDir });
    assert.is((await make(product, 'kept')).is, 'done');
    await product.end('SIGTERM');
    disk.readOnly(true);
    await isRefused(dataDir, /read-only|EROFS/);
    disk.readOnly(false);
    product = await startProduct({ dataDir });
    assert.equal(await names(product), ['kept']);
    await product.end('SIGTERM');
  } finally {
    disk.clean();
  }
});

wholeDisk('a full disk at the start is reported in one line', async () => {
  const disk = mountSmallDisk(16);
  try {
    for (const spare of [0, 8_192, 65_536]) {
      disk.fill(spare);
      await isRefused(join(disk.path, `data-${spare}`), /ENOSPC|no space/i);
    }
  } finally {
    disk.clean();
  }
});

wholeDisk('writes are refused with the reason when the disk is full, and nothing acknowledged is lost', async () => {
  const disk = mountSmallDisk(64);
  const dataDir = join(disk.path, 'data');
  let product = await startProduct({ dataDir });
  try {
    assert.is((await make(product, 'before')).is, 'done');
    disk.fill(512 * 1_024);
    const { made, refused, outcome } = await makeUntilRefused(product, 'full', 20_000);
    assert.match(toldWhy(outcome), /space|storage|ENOSPC/i);
    const found = new Set(await names(product));
    assert.is(found.has(refused), false, 'what was refused is not there');
    for (const name of made) assert.ok(found.has(name), 'reads are answered');
    assert.is((await fetch(new URL('/healthz', product.endpoints.health ?? ''))).status, 200);
    await restartsWhole(product, disk, made);
  } finally {
    await product.end('SIGKILL');
    disk.clean();
  }

  /** Killed on the full disk it says why it cannot start, or starts; with space again everything is there. */
  async function restartsWhole(before: Product, { free: freeSpace }: SmallDisk, made: readonly string[]) {
    await before.end('SIGKILL');
    freeSpace();
    product = await startProduct({ dataDir });
    const found = await names(product);
    for (const name of ['before', ...made]) assert.ok(found.includes(name), `${name} was acknowledged`);
    assert.is((await make(product, 'after')).is, 'done');
    await until(
      async () => (await run(product.cluster.get(builds, { name: 'after' }))).status?.phase === 'Succeeded',
      'builds run again',
    );
    await product.end('SIGTERM');
  }
});

wholeDisk('the same process accepts writes when the disk has space, without a restart', async () => {
  const disk = mountSmallDisk(64);
  const product = await startProduct({ dataDir: join(disk.path, 'data') });
  try {
    disk.fill();
    const { made } = await makeUntilRefused(product, 'tight', 20_000);
    disk.free();
    await until(async () => (await make(product, 'roomy')).is === 'done', 'a write is taken');
    const all = [...made, 'roomy'];
    await until(async () => {
      const { items } = await run(product.cluster.list(builds));
      return items.length === all.length && items.every(({ status }) => status?.phase === 'Succeeded') && items;
    }, 'every build that was taken ends well');
  } finally {
    await product.end('SIGKILL');
    disk.clean();
  }
});

const limited = unless(spec, spawnSync('prlimit', ['--version']).status === 0 ? onWhole : 'there is no prlimit');

limited('writes beyond a file size limit are refused, and nothing acknowledged is lost', async () => {
  let product = await startProduct();
  const { dataDir } = product;
  const limit = (bytes: string) =>
    execFileSync('prlimit', ['--pid', `${product.pid}`, `--fsize=${bytes}:unlimited`], { stdio: 'ignore' });
  try {
    limit(`${statSync(join(dataDir, 'objects', 'objects.mdb')).size + 256 * 1_024}`);
    const { made, outcome } = await makeUntilRefused(product, 'large', 50_000);
    assert.ok(made.length > 0);
    assert.match(toldWhy(outcome), /too large|EFBIG|storage|not stored/i);
    limit('unlimited');
    assert.is((await make(product, 'roomy')).is, 'done');
    await product.end('SIGKILL');
    product = await startProduct({ dataDir });
    const found = await names(product);
    for (const name of [...made, 'roomy']) assert.ok(found.includes(name), `${name} was acknowledged`);
    await product.end('SIGTERM');
  } finally {
    await product.end('SIGKILL');
    product.clean();
  }
});

spec.run();
