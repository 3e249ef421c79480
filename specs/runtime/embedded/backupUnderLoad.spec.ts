import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import * as assert from 'uvu/assert';
import { type Json, isJson, listAt, textAt } from '../../../runtime/embedded/api/json.ts';
import { type Line, lineOf } from '../../../runtime/embedded/backup/lines.ts';
import { restoreBackup } from '../../../runtime/embedded/backup/restore.ts';
import { writeBackup } from '../../../runtime/embedded/backup/write.ts';
import { suite } from '../../support/suite.ts';
import { configMap, inSystem, merge, type Started, started } from './started.ts';

const spec = suite('backups under load');
const root = mkdtempSync(join(tmpdir(), 'core-backup-load-'));
spec.after(() => rmSync(root, { recursive: true }));

const maps = `${inSystem}/configmaps`;
const lanes = 6;
/** Enough that a backup goes on over many writes. */
const ballast = 150;
const ballastBytes = 20_000;
const backups = 2;
const mostTries = 30;

/** What was written: the revision, the name, and the value; null for one that was removed. */
interface Written {
  readonly revision: number;
  readonly name: string;
  readonly value: string | null;
}

const revisionOf = (object: unknown) => Number(textAt(object, 'metadata', 'resourceVersion'));
const wrote = (object: unknown): Written => ({
  revision: revisionOf(object),
  name: textAt(object, 'metadata', 'name'),
  value: textAt(object, 'data', 'value'),
});

/** Makes, changes and removes pairs, one after the other, until told to stop: the second never without the first. */
async function writePairs(api: Started, lane: number, log: Written[], goesOn: () => boolean): Promise<void> {
  const send = async (method: string, path: string, body?: Json) => {
    const type = method === 'PATCH' ? merge : 'application/json';
    const answer = await api.send(method, path, { type, ...(body && { body }) });
    assert.ok(answer.code < 300, JSON.stringify(answer.body));
    return answer.body;
  };
  for (let round = 0; goesOn(); round += 1) {
    const names = ['first', 'second'].map((half) => `${half}-${lane}-${round % 3}`);
    for (const name of names) log.push(wrote(await send('POST', maps, configMap(name, { value: `${round}` }))));
    for (const name of names) log.push(wrote(await send('PATCH', `${maps}/${name}`, { data: { value: `${round}+` } })));
    for (const name of names.toReversed()) await send('DELETE', `${maps}/${name}`);
  }
}

/** What stood at a revision, by everything that happened in order. */
const stateAt = (log: readonly Written[], revision: number) => {
  const state = new Map<string, string>();
  for (const { name, value } of log.filter((one) => one.revision <= revision))
    if (value === null) state.delete(name);
    else state.set(name, value);
  return state;
};

const isOfPair = (name: string) => /^(first|second)-/.test(name);
const pairsOf = (objects: readonly unknown[]) =>
  new Map(
    objects
      .map((object): readonly [string, string] => [textAt(object, 'metadata', 'name'), textAt(object, 'data', 'value')])
      .filter(([name]) => isOfPair(name)),
  );

const linesOf = (file: string): readonly Line[] =>
  gunzipSync(readFileSync(file)).toString().trimEnd().split('\n').map(lineOf);
const objectsOf = (lines: readonly Line[]) =>
  lines.flatMap((line) => (line.is === 'object' ? [JSON.parse(line.text) as unknown] : [])).filter(isJson);

spec('a backup under load is the whole cluster at one revision, and so is its restore', async () => {
  const api = await started();
  for (let count = 0; count < ballast; count += 1)
    await api.send('POST', maps, {
      body: configMap(`ballast-${count}`, { value: randomBytes(ballastBytes / 2).toString('hex') }),
    });
  const watch = await api.watch(`${maps}?watch=true&resourceVersion=${revisionOf((await api.send('GET', maps)).body)}`);
  const acknowledged: Written[] = [];
  let isWriting = true;
  const writers = Array.from({ length: lanes }, (_, lane) => writePairs(api, lane, acknowledged, () => isWriting));
  const taken: { readonly file: string; readonly known: number }[] = [];
  // On a busy machine one may be over before anything was written beside it: that one shows nothing.
  for (let tries = 0; taken.length < backups; tries += 1) {
    assert.ok(tries < mostTries, 'writes went on beside a backup');
    const file = join(root, `${tries}.backup`);
    const known = Math.max(0, ...acknowledged.map(({ revision }) => revision));
    const before = acknowledged.length;
    await writeBackup(api.dataDir, file);
    if (acknowledged.length > before) taken.push({ file, known });
  }
  isWriting = false;
  await Promise.all(writers);
  const { body: last } = await api.send('POST', maps, { body: configMap('last') });
  const log: Written[] = [];
  for (;;) {
    const [event] = await watch.next(1);
    const { name, value, revision } = wrote(event?.['object']);
    if (name === 'last') break;
    log.push({ name, revision, value: event?.['type'] === 'DELETED' ? null : value });
  }
  watch.stop();
  for (const { file, known } of taken) {
    const lines = linesOf(file);
    const end = lines.at(-1);
    assert.ok(end?.is === 'end');
    const found = pairsOf(objectsOf(lines));
    const newest = Math.max(...objectsOf(lines).map(revisionOf));
    assert.ok(newest <= end.revision, 'no object is newer than the backup says it is');
    const from = Math.max(known, newest);
    const moments = [from, ...log.map(({ revision }) => revision)].filter((at) => at >= from && at <= end.revision);
    const isThat = (at: number) => {
      const state = stateAt(log, at);
      return state.size === found.size && [...state].every(([name, value]) => found.get(name) === value);
    };
    assert.ok(moments.some(isThat), `${file}: none of ${moments.length} moments looked like it`);
    for (const name of found.keys()) assert.ok(found.has(name.replace('second', 'first')), `${name} without the first`);
  }
  const { file } = taken.at(-1) ?? { file: '' };
  const dataDir = join(root, 'restored');
  await restoreBackup(file, dataDir);
  const again = await started({ dataDir });
  const { body: list } = await again.send('GET', maps);
  assert.equal(pairsOf(listAt(list, 'items')), pairsOf(objectsOf(linesOf(file))));
  const { body: next } = await again.send('POST', maps, { body: configMap('next') });
  assert.ok(revisionOf(next) > revisionOf(last), 'no version comes twice');
  await again.end();
  await api.end();
});

spec.run();
