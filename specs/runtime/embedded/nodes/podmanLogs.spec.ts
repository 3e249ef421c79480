import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { logText } from '../../../../runtime/embedded/api/podLogs.ts';
import { lineReader, readLog } from '../../../../runtime/embedded/nodes/podman/logFile.ts';
import { createLogs } from '../../../../runtime/embedded/nodes/podman/logs.ts';
import { suite } from '../../../support/suite.ts';
import { until } from '../../../support/until.ts';
import { memoryStore } from './memoryStore.ts';

const spec = suite('logs in the format of a container runtime');
const folder = mkdtempSync(join(tmpdir(), 'core-logs-'));
spec.after(() => rmSync(folder, { recursive: true }));

const at = '2030-01-01T00:00:00.000000000+00:00';
const entry = (mark: 'F' | 'P', text: string | Buffer) =>
  Buffer.concat([Buffer.from(`${at} stdout ${mark} `), Buffer.from(text), Buffer.from('\n')]);
const euro = Buffer.from('€');

spec('parts of a line are passed on, except for half a character or half a line break', () => {
  const read = lineReader();
  const piecesOf = (...chunks: readonly Buffer[]) =>
    chunks.flatMap((chunk) => read(chunk)).map(({ text, isPart = false }) => (isPart ? `${text}…` : text));
  assert.equal(piecesOf(entry('F', 'one'), entry('P', 'ab'), entry('P', 'c\r')), ['one', 'ab…', 'c…']);
  assert.equal(piecesOf(entry('F', '')), [''], 'the line break of a terminal is no text');
  assert.equal(piecesOf(entry('P', '\r 50 %'), entry('P', '\r'), entry('P', '100 %')), ['\r 50 %…', '\r100 %…']);
  assert.equal(piecesOf(entry('F', '')), ['']);
  const halves = [entry('P', euro.subarray(0, 1)), entry('P', euro.subarray(1)), entry('F', '!')];
  assert.equal(piecesOf(...halves), ['€…', '!']);
  const cut = entry('F', euro);
  assert.equal(piecesOf(cut.subarray(0, cut.length - 2), cut.subarray(cut.length - 2)), ['€']);
});

spec('a log is read in whole lines, the last one as far as it was written', async () => {
  const file = join(folder, 'log');
  writeFileSync(file, Buffer.concat([entry('F', 'one'), entry('P', 'tw'), entry('F', 'o'), entry('P', 'thr')]));
  const read = async (options = {}) => logText(await readLog(file, options), options);
  assert.is(await read(), 'one\ntwo\nthr');
  assert.is(await read({ tailLines: 2 }), 'two\nthr');
  assert.is(await read({ tailLines: 1 }), 'thr');
  assert.match(await read({ timestamps: true }), /^\S+Z one\n\S+Z two\n\S+Z thr$/);
});

spec('a follower of a log gets the part of a line written so far', async () => {
  const store = memoryStore(Date.now);
  const logOf = (uid: string, container: string) => join(folder, uid, container);
  const logs = createLogs({ store, folders: { logOf } });
  const pod = await store.create(
    { bucket: '/pods', namespace: 'shop', name: 'web' },
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web' },
      status: { containerStatuses: [{ name: 'main', restartCount: 0, state: { running: {} } }] },
    },
  );
  const file = logOf(pod.metadata.uid, 'main');
  mkdirSync(join(folder, pod.metadata.uid));
  writeFileSync(file, entry('P', 'Password: '));
  let text = '';
  const followed = logs.follow(
    pod,
    'main',
    (line, _, isPart) => void (text += `${line}${isPart === true ? '' : '\n'}`),
  );
  await until(() => text === 'Password: ', 'the question is seen');
  appendFileSync(file, entry('F', 'given'));
  await until(() => text === 'Password: given\n', 'its line is ended');
  followed.stop();
  await followed.ended;
});

spec.run();
