import * as assert from 'uvu/assert';
import { unservedKind, retryOf } from '../../rules/provision/weight.ts';
import { suite } from '../support/suite.ts';

const spec = suite('retries of failed writes');

const refused = (status: number, message = '') => retryOf({ _tag: 'Refused', status, message });

spec('DB-152 DB-218 400, 401, 403 and 422 are permanent failures', () => {
  for (const status of [400, 401, 403, 422]) assert.is(refused(status), 'permanent', String(status));
});

spec('DB-151 a terminating namespace and an exceeded quota are counted failures', () => {
  const going = 'pods "a" is forbidden: unable to create new content in namespace b because it is being terminated';
  assert.is(refused(403, going), 'counted');
  assert.is(refused(403, 'pods "a" is forbidden: exceeded quota: small'), 'counted');
  assert.is(retryOf({ _tag: 'NotFound' }), 'counted');
  assert.is(refused(413), 'counted');
});

spec('DB-150 silence, a conflict, 429 and 5xx are waiting failures', () => {
  for (const _tag of ['Unavailable', 'Conflict', 'Gone']) assert.is(retryOf({ _tag }), 'waiting');
});

spec('DB-150 a kind without a definition is a waiting failure', () => {
  assert.is(retryOf({ _tag: 'NotFound', what: unservedKind }), 'waiting');
  assert.is(retryOf({ _tag: 'NotFound', what: 'namespaces "a" not found' }), 'counted');
});

spec.run();
