import type { DeviceReview } from '../../../http/api.ts';
import * as assert from 'uvu/assert';
import { outcomes } from '../../../http/dashboard/pages/device/outcomes.ts';
import { approval, codeOf, denial, stateAt } from '../../../http/dashboard/pages/device/request.ts';
import { suite } from '../../support/suite.ts';

const device = suite('device sign-in page');

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

device('a device code is normalised from any spelling', () => {
  for (const typed of ['BCDF-GHJK', 'bcdfghjk', ' bcdf ghjk ', 'b-c-d-f-g-h-j-k'])
    assert.is(codeOf(typed), 'BCDF-GHJK');
  for (const typed of ['', 'BCDF', 'BCDF-GHJKL', 'BCDF-GH1K', 'BCDF/GHJK', '../../etc', 'ÄCDF-GHJK'])
    assert.is(codeOf(typed), null, typed);
});

device('DEV-008 DEV-009 an approval defaults to the access observer for seven days', () => {
  assert.equal(approved({}), { is: 'approve', body: { code: 'BCDF-GHJK', access: 'observer', days: 7 } });
  assert.equal(approved({ access: 'owner', days: '3650' }), approved({}));
});

device('DEV-009 an approval sends the chosen access and lifetime', () => {
  for (const access of request.accesses)
    for (const days of request.lifetimes)
      assert.equal(approved({ access, days: String(days) }).body, { code: 'BCDF-GHJK', access, days });
});

device('a denial sends only the code', () => {
  assert.equal(denial(request), { is: 'deny', body: { code: 'BCDF-GHJK' } });
});

device(
  'an undecided or approved request expires on the page after ten minutes, and a decided one keeps its state',
  () => {
    const end = Date.parse(request.expiresAt);
    for (const state of ['pending', 'approved'] as const) {
      assert.is(stateAt({ ...request, state }, end - 1), state);
      assert.is(stateAt({ ...request, state }, end), 'expired');
    }
    for (const state of ['refused', 'issued', 'expired'] as const)
      assert.is(stateAt({ ...request, state }, end + 1), state);
  },
);

device('each outcome of a device sign-in has its own text', () => {
  const words = Object.values(outcomes).map(({ title, text }) => `${title}: ${text}`);
  assert.is(new Set(words).size, 4);
});

device.run();
