import type { ApiToken } from '../../../http/api.ts';
import * as assert from 'uvu/assert';
import { choicesIn, expiryOf, expiresAtOf, tokenBody } from '../../../http/dashboard/pages/tokens/choices.ts';
import { dayOrNever, publicPart, tokenAccess } from '../../../http/dashboard/pages/tokens/token.ts';
import { accessWords } from '../../../http/dashboard/model/access.ts';
import { ago } from '../../../http/dashboard/model/time.ts';
import { suite } from '../../support/suite.ts';

const tokens = suite('token page');

const now = Date.parse('2026-03-01T12:00:00Z');
const at = (choice: Parameters<typeof expiresAtOf>[0]['expiry'], date = '') => {
  const ms = expiresAtOf({ expiry: choice, date }, now);
  return typeof ms === 'number' ? new Date(ms).toISOString() : ms;
};
const form = (fields: Readonly<Record<string, string>>) => choicesIn((name) => fields[name] ?? '');

tokens('a role has the same words as in the sign-in of the command line', () => {
  assert.equal(accessWords, { admin: 'admin', observer: 'read-only, with logs', viewer: 'read-only' });
});

const token: ApiToken = {
  id: 'mfrggzdfmz',
  name: 'ci',
  kind: 'workspace',
  role: 'viewer',
  createdAt: '2026-03-01T12:00:00Z',
  createdBy: 'ada',
  expired: false,
};

tokens('a project token shows its environment, and every token shows only its public part', () => {
  const ofProject: ApiToken = { ...token, kind: 'project', role: 'admin', project: 'shop', environment: 'production' };
  assert.is(tokenAccess(token), 'read-only');
  assert.is(tokenAccess(ofProject), 'project token for shop/production');
  assert.is(publicPart(token), 'gsw_mfrggzdfmz_…');
  assert.is(publicPart(ofProject), 'gsp_mfrggzdfmz_…');
});

tokens('a token without an expiry is shown as never expiring', () => {
  assert.is(dayOrNever(undefined), 'never');
  assert.match(dayOrNever('2026-03-01T12:00:00Z'), /^2026-03-0[12]$/);
});

tokens('AUT-027 an expiry is counted in calendar time and stays below ten years', () => {
  assert.is(at('30d'), '2026-03-31T12:00:00.000Z');
  assert.is(at('90d'), '2026-05-30T12:00:00.000Z');
  assert.is(at('1y'), '2027-03-01T12:00:00.000Z');
  assert.is(at('never'), null);
  const decade = Date.parse(at('10y') ?? '');
  assert.ok(decade <= Date.parse('2036-03-01T12:00:00Z'), 'at most ten years');
  assert.ok(decade > Date.parse('2036-03-01T11:00:00Z'), 'hardly less than ten years');
});

tokens('an expiry date counts to the end of its day, and an invalid one sends no request', () => {
  const end = expiresAtOf({ expiry: 'date', date: '2026-04-05' }, now);
  assert.ok(typeof end === 'number');
  assert.is(dayOrNever(new Date(end).toISOString()), '2026-04-05');
  assert.is(dayOrNever(new Date(end + 1_000).toISOString()), '2026-04-06');
  for (const date of ['', '2026-13-01', 'tomorrow', '05.04.2026']) assert.is(at('date', date), undefined, date);
  assert.is(tokenBody(form({ name: 'ci', reach: 'admin', expiry: 'date' }), now), null);
});

tokens('a workspace token sends its role and no project', () => {
  const chosen = form({ name: ' ci ', reach: 'admin', expiry: 'never', project: 'shop', environment: 'production' });
  assert.equal(tokenBody(chosen, now), { name: 'ci', role: 'admin', expiresAt: null });
});

tokens('a project token sends its environment and no role', () => {
  const chosen = form({ name: 'ci', reach: 'project', project: ' shop ', environment: 'production', expiry: '30d' });
  assert.equal(tokenBody(chosen, now), {
    name: 'ci',
    project: 'shop',
    environment: 'production',
    expiresAt: '2026-03-31T12:00:00.000Z',
  });
});

tokens('a token form defaults to observer for 90 days', () => {
  assert.equal(tokenBody(form({ name: 'ci' }), now), {
    name: 'ci',
    role: 'observer',
    expiresAt: '2026-05-30T12:00:00.000Z',
  });
  assert.is(expiryOf('toString'), '90d');
});

tokens('the last use is shown with its stored precision', () => {
  assert.is(ago(3 * 60_000 + 20_000), '3 min ago');
  assert.is(ago(50 * 3_600_000), '2 d ago');
});

tokens.run();
