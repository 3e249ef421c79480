import * as assert from 'uvu/assert';
import type { Identity } from '../../../http/api.ts';
import { actionsOf } from '../../../http/dashboard/kindPages/build/actions.ts';
import { checkNow } from '../../../http/dashboard/components/checkNow.ts';
import { isAdmin, mayAct, mayReadSensitive, reader } from '../../../http/dashboard/store/session.ts';
import { accessOf } from '../../../http/dashboard/model/access.ts';
import { suite } from '../../support/suite.ts';

const access = suite('permissions in the dashboard');

const admin: Identity = {
  username: 'ada',
  role: 'admin',
  scope: 'workspace',
  canMutate: true,
  canReadSensitive: true,
  authentication: 'session',
};
const viewer: Identity = { ...admin, username: 'viewer', role: 'viewer', canMutate: false, canReadSensitive: false };
const signIn = (identity: Identity) => (reader.value = { is: 'signedIn', identity });
const may = () => ({ act: mayAct(), readSensitive: mayReadSensitive(), admin: isAdmin() });

access.after(() => {
  reader.value = { is: 'unread' };
});

access('an admin has every permission', () => {
  signIn(admin);
  assert.equal(may(), { act: true, readSensitive: true, admin: true });
  assert.is(accessOf(admin), 'admin');
});

access('a viewer may neither act nor read sensitive data and gets the reason', () => {
  signIn(viewer);
  assert.equal(may(), { act: false, readSensitive: false, admin: false });
  assert.is(accessOf(viewer), 'read-only');
  const build = { name: 'shop-build-1', app: 'shop', state: 'Running', current: true };
  for (const { refused } of [checkNow('build', 'corebuilds:shop-build-1'), ...actionsOf(build, null)])
    assert.is(refused, 'You have read-only access.');
});

access('only a signed-in admin may manage tokens and device codes', () => {
  signIn({ ...admin, authentication: 'token' });
  assert.is(isAdmin(), false);
  for (const one of [{ is: 'unread' }, { is: 'signedOut', ended: true }] as const) {
    reader.value = one;
    assert.equal(may(), { act: false, readSensitive: false, admin: false });
  }
});

access.run();
