import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';
import { connectionSubject } from './subjects/connection.ts';
import { run } from './environment/run.ts';

const connection = suite('faults: the connection to the Git host');

const pathOf = (name: string) => {
  const path = connectionSubject.paths.find((one) => one.name === name);
  if (!path) throw new Error(`no path is called ${name}`);
  return path;
};

connection('an expired token is reported at once, however long the next renewal waits', async () => {
  const path = pathOf('the token ends between two renewals that fail');
  const { log, faults } = await run({ subject: connectionSubject, path, troubles: [] });
  const refused = log.find(({ text }) => text.includes('TokenRefused'));
  assert.equal(faults, []);
  assert.ok(refused, 'it is never said');
  assert.is(Math.floor((refused.at - (log[0]?.at ?? 0)) / 1_000), 200);
});

connection('a token is requested once and written once', async () => {
  const { log, faults } = await run({ subject: connectionSubject, path: pathOf('a token is got'), troubles: [] });
  assert.equal(faults, []);
  assert.is(log.filter(({ text }) => text === 'asks for a token').length, 1);
  assert.is(log.filter(({ text }) => text.startsWith('patch secrets/')).length, 1);
});

connection.run();
