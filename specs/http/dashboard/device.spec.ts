import type { DeviceReview } from '../../../http/api.ts';
import * as assert from 'uvu/assert';
import { outcomes } from '../../../http/dashboard/pages/device/outcomes.ts';
import { approval, codeOf, denial, stateAt } from '../../../http/dashboard/pages/device/request.ts';
import { suite } from '../../support/suite.ts';

const device = suite('the page of the device sign-in');

const request: DeviceReview = {
  user_code: 'BCDF-GHJK',
  client: 'a command line',
  address: '203.0.113.24',
  state: 'pending',
  issuedAt: '2026-03-01T12:00:00Z',
  expiresAt: '2026-03-01T12:10:00Z',
  accesses: ['observer', 'viewer', 'admin'],
  lifetimes: [7, 30, 90],
};
const approved = (fields: Readonly<Record<string, string>>) => approval(request, (name) => fields[name] ?? '');

device('a code is read however it is typed', () => {
  for (const typed of ['BCDF-GHJK', 'bcdfghjk', ' bcdf ghjk ', 'b-c-d-f-g-h-j-k'])
    assert.is(codeOf(typed), 'BCDF-GHJK');
  for (const typed of ['', 'BCDF', 'BCDF-GHJKL', 'BCDF-GH1K', 'BCDF/GHJK', '../../etc', 'ÄCDF-GHJK'])
    assert.is(codeOf(typed), null, typed);
});

device('DEV-008 DEV-009 who chooses nothing approves reading with logs for a week', () => {
  assert.equal(approved({}), { is: 'approve', body: { code: 'BCDF-GHJK', access: 'observer', days: 7 } });
  assert.equal(approved({ access: 'owner', days: '3650' }), approved({}));
});

device('DEV-009 what is chosen is what is asked for', () => {
  for (const access of request.accesses)
    for (const days of request.lifetimes)
      assert.equal(approved({ access, days: String(days) }).body, { code: 'BCDF-GHJK', access, days });
});

device('a refusal names the code alone', () => {
  assert.equal(denial(request), { is: 'deny', body: { code: 'BCDF-GHJK' } });
});

device('what has waited ten minutes has expired on the page too; what is decided stays decided', () => {
  const end = Date.parse(request.expiresAt);
  for (const state of ['pending', 'approved'] as const) {
    assert.is(stateAt({ ...request, state }, end - 1), state);
    assert.is(stateAt({ ...request, state }, end), 'expired');
  }
  for (const state of ['refused', 'issued', 'expired'] as const)
    assert.is(stateAt({ ...request, state }, end + 1), state);
});

device('every end of a sign-in has words of its own', () => {
  const words = Object.values(outcomes).map(({ title, text }) => `${title}: ${text}`);
  assert.is(new Set(words).size, 4);
});

device.run();
