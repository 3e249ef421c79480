import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { outboxIn } from '../../../runtime/gitHost/outbox.ts';
import { suite } from '../../support/suite.ts';

const spec = suite<{ folder: string }>('events waiting for their receiver');
spec.before.each((context) => {
  context.folder = mkdtempSync(join(tmpdir(), 'core-outbox-'));
});
spec.after.each(({ folder }) => rmSync(folder, { recursive: true }));

const messages = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => ({
    id: `m${from + index}`,
    event: 'push',
    repository: 'demo/hello',
    body: '{}',
  }));
const idsIn = (folder: string) =>
  outboxIn(folder, () => {})
    .all()
    .map(({ id }) => id);

spec('the deliveries of one push share one file, which is removed with the last delivery', async ({ folder }) => {
  const outbox = outboxIn(folder, () => {});
  await outbox.add(messages(500));
  await outbox.add(messages(1, 500));
  assert.is(readdirSync(folder).length, 2);
  assert.is(idsIn(folder).length, 501);
  for (const { id } of messages(499)) await outbox.remove(id);
  assert.equal(
    outbox.all().map(({ id }) => id),
    ['m499', 'm500'],
  );
  assert.is(readdirSync(folder).length, 2);
  await outbox.remove('m499');
  assert.equal(idsIn(folder), ['m500']);
});

spec('the oldest deliveries are dropped when more than a thousand wait', async ({ folder }) => {
  const gone: string[] = [];
  const outbox = outboxIn(folder, ({ id }) => gone.push(id));
  await outbox.add(messages(999));
  await outbox.add(messages(3, 999));
  assert.equal(gone, ['m0', 'm1']);
  assert.is(outbox.all().length, 1_000);
});

spec.run();
