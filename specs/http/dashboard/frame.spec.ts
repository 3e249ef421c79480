import * as assert from 'uvu/assert';
import type { Identity, Summary } from '../../../http/api.ts';
import { readRoute } from '../../../http/dashboard/routes.ts';
import { crumbsOf } from '../../../http/dashboard/model/crumbs.ts';
import { failureWords } from '../../../http/dashboard/model/failure.ts';
import { type Entry, findEntries } from '../../../http/dashboard/model/palette.ts';
import { sectionOf, sectionsFor } from '../../../http/dashboard/model/sections.ts';
import { suite } from '../../support/suite.ts';

const frame = suite('dashboard frame');

const named = (kind: string, name: string, displayName: string): Summary => ({
  kind,
  name,
  displayName,
  project: '',
  environment: '',
  state: 'ready',
  message: '',
  createdAt: '',
  url: '',
  cause: null,
  details: {},
});
const known = {
  projects: [named('CoreProject', 'proj-1', 'shop')],
  services: [named('CoreApp', 'svc-1', 'web')],
  databases: [named('CoreDatabase', 'pg-1', 'orders')],
};
const read = (address: string) => {
  const { pathname, search } = new URL(address, 'http://core');
  return readRoute(pathname, search);
};
const way = (address: string) =>
  crumbsOf(read(address), known)
    .map(({ label }) => label)
    .join(' / ');

frame('breadcrumbs show the display names of the project, environment and object', () => {
  assert.is(way('/projects/proj-1/production/services/svc-1?view=builds'), 'shop / production / web');
  assert.is(way('/projects/proj-1/production'), 'shop / production');
  assert.is(way('/projects/proj-1/production/services/svc-1/builds/38b9d'), 'shop / production / web / 38b9d');
  assert.is(way('/projects/proj-2/staging/services/-/new'), 'proj-2 / staging / New service');
  assert.is(way('/projects/proj-1/production/databases/pg-1?view=sql'), 'shop / production / orders');
  assert.is(way('/projects/proj-1/production/logical/app-1'), 'shop / production / app-1');
  assert.is(way('/projects/proj-1/production/-/add'), 'shop / production / Add resource');
  assert.is(way('/databases/pg-1'), 'Databases / orders');
  assert.is(way('/machines/build/corebuilds:hello-38b9d'), 'State machines / build / hello-38b9d');
  assert.is(way('/settings/tokens'), 'Settings / Tokens');
  assert.is(way('/settings/cli'), 'Settings / Command line');
  for (const address of ['/', '/services', '/machines', '/device', '/none']) assert.is(way(address), '', address);
});

frame('breadcrumbs link every step except the last to a page', () => {
  const crumbs = crumbsOf(read('/projects/proj-1/staging/services/svc-1'), known);
  assert.equal(
    crumbs.map(({ to }) => to),
    ['/projects/proj-1', '/projects/proj-1/staging', undefined],
  );
  for (const { to } of crumbs) if (to !== undefined) assert.is.not(read(to).is, 'unknown', to);
});

frame('a page belongs to one section, and only admins have Settings', () => {
  assert.equal(
    [
      '/',
      '/services',
      '/projects/p/e/services/s',
      '/projects/p/e/databases/d',
      '/machines/build',
      '/settings/tokens',
      '/none',
    ].map((address) => sectionOf(read(address))),
    ['home', 'services', 'services', 'data', 'machines', 'settings', null],
  );
  assert.equal(
    sectionsFor(true).map(({ label, key }) => `${key} ${label}`),
    ['h Home', 's Services', 'd Data', 'm State machines', ', Settings'],
  );
  assert.equal(
    sectionsFor(false).map(({ name }) => name),
    ['home', 'services', 'data', 'machines'],
  );
  for (const { to } of sectionsFor(true)) assert.is.not(read(to).is, 'unknown', to);
});

const entry = (kind: Entry['kind'], word: string, place?: string): Entry => ({
  key: `${kind} ${word} ${place ?? ''}`,
  kind,
  label: word,
  ...(place === undefined ? {} : { place }),
});
const entries = [
  entry('Page', 'Services'),
  entry('Action', 'Delete web'),
  entry('Action', 'Redeploy'),
  entry('Service', 'cobweb', 'shop / staging'),
  entry('Service', 'my-web', 'shop / production'),
  entry('Service', 'web', 'shop / production'),
];
const found = (text: string) => findEntries(entries, text).entries.map(({ label }) => label);

frame('the palette matches every word, names with that prefix first', () => {
  assert.equal(found('web'), ['web', 'Delete web', 'my-web', 'cobweb']);
  assert.equal(found('  WEB prod '), ['my-web', 'web']);
  assert.equal(found('service web'), ['cobweb', 'my-web', 'web']);
  assert.equal(found('none'), []);
  assert.is(found('').length, entries.length);
});

frame('the palette shows only actions after >', () => {
  assert.equal(found('>'), ['Delete web', 'Redeploy']);
  assert.equal(found('> web'), ['Delete web']);
});

frame('the palette shows 50 of 5,000 matches and the number of the others', () => {
  const many = Array.from({ length: 5000 }, (_, index) => entry('Service', `web-${index}`));
  const { entries: shown, more } = findEntries(many, 'web');
  assert.is(shown.length, 50);
  assert.is(more, 4950);
});

const viewer: Identity = {
  username: 'ada',
  role: 'viewer',
  scope: 'workspace',
  canMutate: false,
  canReadSensitive: false,
  authentication: 'session',
};
const refused = (status: number, error: string) => ({ is: 'refused', status, error }) as const;

frame('a failure shows the message of the server and the automatic retry', () => {
  assert.equal(failureWords({ is: 'unreachable', error: "Can't reach the server" }, null, viewer), {
    tone: 'bad',
    text: "Can't reach the server. Retrying every 3 seconds.",
    mayTry: true,
  });
  assert.is(
    failureWords(refused(400, 'no such thing'), null, viewer).text,
    'no such thing.',
    'a permanent failure is not retried',
  );
});

frame('a failed refresh keeps the earlier data with its time', () => {
  const at = new Date(2026, 10, 23, 12, 4, 31).getTime();
  const { tone, text } = failureWords(refused(503, 'the cluster is away'), at, viewer);
  assert.is(tone, 'waiting');
  assert.is(text, 'the cluster is away. Retrying every 3 seconds. Showing data from 12:04:31.');
});

frame('a refused read shows the user and offers no retry', () => {
  assert.equal(failureWords(refused(403, 'only admins may read users'), null, viewer), {
    tone: 'idle',
    text: 'only admins may read users. You are signed in as ada (read-only).',
    mayTry: false,
  });
});

frame.run();
