import * as assert from 'uvu/assert';
import { makeFeed } from '../../http/events/feed.ts';
import { passesOf } from '../../http/views/passes.ts';
import { tables } from '../../machines/tables.ts';
import { databaseSession } from '../runtime/controllers/database/session.ts';
import { putDatabaseEnvironment } from '../support/database.ts';
import { suite } from '../support/suite.ts';

const spec = suite('idle stream');

/** Longer than the feed waits for the end of a pass. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 350));

const highlyAvailable = {
  highAvailability: true,
  instances: 3,
  engine: 'Postgres',
  deploy: { enabled: true },
} as const;

spec('a viewer receives no event of an unchanged check and knows the interval beforehand', async () => {
  const live = await databaseSession({ spec: highlyAvailable }, putDatabaseEnvironment);
  await live.pass(60);
  const operator = live.operator();
  const [controller] = operator.controllers;
  if (!controller) throw new Error('no controller');
  const checked = () => passesOf(operator, controller, 'orders');
  const feed = makeFeed(operator, tables, live.time.wall);
  let heard = '';
  feed.subscribe('viewer', (parts) => (heard += parts));
  const before = checked();
  await live.pass(600);
  await settled();
  const after = checked();
  assert.is(before.checkEveryMs, 30_000);
  assert.is(after.checkEveryMs, 30_000);
  assert.is(before.nextLook, before.nextCheckAt);
  assert.is(Date.parse(after.nextCheckAt ?? '') - Date.parse(before.nextCheckAt ?? ''), 600_000);
  assert.is(heard, '');
  feed.stop();
  await live.end();
});

spec.run();
