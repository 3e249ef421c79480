import { X509Certificate, sign, verify } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { logLine } from '../../../runtime/services/log.ts';
import { keptCertificates, keptSigningKey, keptToken } from '../../../runtime/embedded/api/identity.ts';
import { openDisk } from '../../../runtime/embedded/api/store/disk.ts';
import { createStore } from '../../../runtime/embedded/api/store/store.ts';
import { BadData } from '../../../runtime/embedded/badData.ts';
import { checkObjectsAreThere } from '../../../runtime/embedded/dataDir/lost.ts';
import { keptGitApp, newGitApp } from '../../../runtime/gitHost/app.ts';
import { checkRunsIn } from '../../../runtime/gitHost/checkRuns.ts';
import { deliveriesIn } from '../../../runtime/gitHost/deliveries.ts';
import { tokensIn } from '../../../runtime/gitHost/tokens.ts';
import { suite } from '../../support/suite.ts';
import { started } from './started.ts';

interface World {
  readonly dataDir: string;
}

const spec = suite<World>('damaged files of a data directory');
const noDelivery = { secret: () => '', webhookUrl: () => null, log: () => {} };
const deliveriesOf = (dataDir: string) => deliveriesIn(join(dataDir, 'git', 'deliveries'), noDelivery);
const waitingEvent = join('git', 'deliveries', 'waiting', '000000000001.json');

const text = Buffer.from('signed');

/** What a start reads of each file. */
const readers: Readonly<Record<string, (dataDir: string) => unknown>> = {
  token: keptToken,
  [join('pki', 'certificates.json')]: async (dataDir) => {
    const { ca, caKey, certificate, key } = await keptCertificates(dataDir, []);
    return [
      ...[ca, certificate].map((pem) => new X509Certificate(pem).fingerprint512),
      ...[caKey, key].map((pem, index) =>
        verify('sha256', text, index === 0 ? ca : certificate, sign('sha256', text, pem)),
      ),
    ];
  },
  [join('pki', 'service-accounts.key')]: async (dataDir) =>
    sign('sha256', text, await keptSigningKey(dataDir)).toString('hex'),
  'git-app.json': keptGitApp,
  [join('git', 'tokens.json')]: (dataDir) => tokensIn(join(dataDir, 'git')).accepts('none'),
  [join('git', 'check-runs.json')]: (dataDir) =>
    checkRunsIn(join(dataDir, 'git')).of({ owner: 'demo', name: 'hello' }, 'sha', 'all'),
  [waitingEvent]: async (dataDir) => {
    const deliveries = deliveriesOf(dataDir);
    await deliveries.stop();
    return deliveries.waiting();
  },
};
const databaseFile = join('objects', 'objects.mdb');

spec.before(async (context) => {
  const api = await started();
  const { dataDir } = api;
  await api.stop();
  await newGitApp(dataDir);
  const git = join(dataDir, 'git');
  const deliveries = deliveriesOf(dataDir);
  await deliveries.keep([{ id: 'first', event: 'push', repository: 'demo/hello', body: '{}' }]);
  await deliveries.stop();
  await tokensIn(git).issue();
  await checkRunsIn(git).put({ owner: 'demo', name: 'hello' }, 'sha', 'test', { status: 'completed' });
  Object.assign(context, { dataDir });
});
spec.after(({ dataDir }) => rmSync(dataDir, { recursive: true }));

type Outcome = { readonly is: 'read'; readonly value: unknown } | { readonly is: 'refused'; readonly why: string };

/** What comes of reading; anything but words for the user fails. */
async function outcomeOf(read: () => unknown): Promise<Outcome> {
  try {
    return { is: 'read', value: await read() };
  } catch (why) {
    if (!(why instanceof BadData)) throw why;
    return { is: 'refused', why: why.message };
  }
}

for (const [file, read] of Object.entries(readers))
  spec(`${file}, truncated at every length, is refused by name or reads unchanged`, async ({ dataDir }) => {
    const path = join(dataDir, file);
    const whole = readFileSync(path);
    const said = await read(dataDir);
    try {
      for (let length = whole.length - 1; length >= 0; length -= 1) {
        truncateSync(path, length);
        const outcome = await outcomeOf(() => read(dataDir));
        assert.is(readFileSync(path).length, length, 'the file is left alone');
        if (outcome.is === 'read') assert.equal(outcome.value, said, `${length} bytes of ${whole.length}`);
        else {
          assert.ok(outcome.why.startsWith(`${path} is damaged: `), outcome.why);
          assert.match(outcome.why, /; restore a backup of the data directory/);
        }
        // What ends a text may be missing, and nothing else.
        if (length < whole.length - 1) assert.is(outcome.is, 'refused', `${length} bytes of ${whole.length}`);
      }
    } finally {
      writeFileSync(path, whole);
    }
  });

for (const file of ['pki/certificates.json', 'pki/service-accounts.key'])
  spec(`${basename(file)} with one byte changed is refused by name or reads unchanged`, async ({ dataDir }) => {
    const path = join(dataDir, file);
    const read = readers[join(file)] ?? assert.unreachable;
    const whole = readFileSync(path);
    const said = await read(dataDir);
    let refused = 0;
    const runs = 400;
    try {
      await fc.assert(
        fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), async (at, mask) => {
          const damaged = Buffer.from(whole);
          damaged[at] = (whole[at] ?? 0) ^ mask;
          writeFileSync(path, damaged);
          const outcome = await outcomeOf(() => read(dataDir));
          if (outcome.is === 'read') assert.equal(outcome.value, said);
          else {
            refused += 1;
            assert.ok(outcome.why.startsWith(`${path} is damaged: `), outcome.why);
          }
        }),
        { numRuns: runs },
      );
      assert.ok(refused > runs / 2, `only ${refused} of ${runs} were refused`);
    } finally {
      writeFileSync(path, whole);
    }
  });

/** What a start does with the objects, in a copy of the folder. */
async function opened(dataDir: string, length: number): Promise<Outcome> {
  const copy = mkdtempSync(join(tmpdir(), 'core-cut-'));
  try {
    cpSync(dataDir, copy, { recursive: true });
    truncateSync(join(copy, databaseFile), length);
    return await outcomeOf(async () => {
      checkObjectsAreThere(copy);
      const store = createStore(openDisk(join(copy, 'objects')), logLine);
      const names = store.buckets().flatMap((bucket) => store.list(bucket).map(({ metadata }) => metadata.uid));
      await store.close();
      return names;
    });
  } finally {
    rmSync(copy, { recursive: true });
  }
}

spec('a truncated objects.mdb is refused by name or holds every object', async ({ dataDir }) => {
  const whole = readFileSync(join(dataDir, databaseFile)).length;
  const all = await opened(dataDir, whole);
  assert.is(all.is, 'read');
  const refusedAt = async (length: number) => {
    const outcome = await opened(dataDir, length);
    if (outcome.is === 'read') assert.equal(outcome, all, `${length} bytes of ${whole}`);
    else assert.match(outcome.why, /objects\.mdb is (empty|damaged|not a database of Core, or is damaged)/);
    return outcome.is;
  };
  for (const length of [0, 1, 159, 160, 4_095, 4_096, 8_191, 8_192]) assert.is(await refusedAt(length), 'refused');
  await fc.assert(
    fc.asyncProperty(fc.nat(whole - 1), async (length) => void (await refusedAt(length))),
    { numRuns: 100 },
  );
});

spec('keys without objects are refused, whichever is left', ({ dataDir }) => {
  for (const key of ['token', 'pki/certificates.json', 'pki/service-accounts.key', 'git-app.json']) {
    const rest = mkdtempSync(join(tmpdir(), 'core-rest-'));
    cpSync(join(dataDir, key), join(rest, key), { recursive: true });
    assert.throws(
      () => checkObjectsAreThere(rest),
      (why: Error) =>
        why instanceof BadData && why.message.includes(`is missing, but there are keys of a cluster (${key})`),
    );
    assert.equal(readdirSync(rest), [key.split('/')[0]], 'nothing is made');
    rmSync(rest, { recursive: true });
  }
});

spec('a reader table of any length and content does not prevent a start', async ({ dataDir }) => {
  const path = join(dataDir, 'objects', 'objects.mdb-lock');
  for (const content of ['', 'garbage', 'garbage!'.repeat(20_000)]) {
    writeFileSync(path, content);
    const store = createStore(openDisk(join(dataDir, 'objects')), logLine);
    assert.ok(store.buckets().length > 0);
    await store.close();
  }
});

spec.run();
