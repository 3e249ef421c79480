import * as assert from 'uvu/assert';
import { readRoute } from '../../../http/dashboard/routes.ts';
import { suite } from '../../support/suite.ts';
import { shownIn, sources } from './texts.ts';

const absence = suite('features absent from the dashboard');

const texts = sources.flatMap(([name, source]) => shownIn(source).map((text) => [name, text] as const));
/** Where a text is that may be shown, or is sent to the server. */
const saying = (pattern: RegExp): readonly string[] =>
  texts.filter(([, text]) => pattern.test(text)).map(([name, text]) => `${name}: ${text}`);
/** Where the server is asked to change something by a route. */
const asking = (route: RegExp): readonly string[] =>
  sources.flatMap(([name, text]) =>
    [...text.matchAll(/['`]((?:POST|PATCH|DELETE) \/[^'`]*)['`]/g)]
      .map(([, asked = '']) => asked)
      .filter((asked) => route.test(asked))
      .map((asked) => `${name}: ${asked}`),
  );
const noPage = (...paths: readonly string[]) => {
  for (const path of paths) assert.is(readRoute(path, '').is, 'unknown', path);
};

absence('the search finds texts and requests of the dashboard', () => {
  assert.ok(saying(/^Deploy changes$/).length > 0);
  assert.ok(asking(/^POST \/apps$/).length > 0);
});

absence('DEP-066 the dashboard offers no rollback', () => {
  assert.equal(saying(/\broll(?:s|ed)? ?-?back\b/i), []);
});

absence('the dashboard offers neither a retry nor a cluster change of a project', () => {
  assert.equal(
    sources
      .filter(([name]) => /project/i.test(name))
      .flatMap(([name, source]) => shownIn(source).map((text) => `${name}: ${text}`))
      .filter((text) => /\bretry\b|change (?:the )?cluster/i.test(text)),
    [],
  );
  assert.equal(saying(/\bclusterRef\b/), []);
});

absence('CON-049 the dashboard offers no console of a bucket and no change of a session', () => {
  assert.equal(saying(/object-?stores?\/.*console|console.*(?:bucket|object store)/i), []);
  assert.equal(saying(/extend (?:the )?session|reattach|recording|delete (?:the )?session/i), []);
});

absence(
  'UI-019 the dashboard has no field for connectionLimit, clusterSize, prometheusURL or defaultClusterRef',
  () => {
    assert.equal(saying(/connectionLimit|clusterSize|prometheusURL|defaultClusterRef|traefikAccessLogs/i), []);
  },
);

absence('the dashboard neither creates nor edits builds, deployments, console sessions and archives', () => {
  assert.equal(asking(/\/(?:builds|deployments|sessions|backup-archives)\b/), []);
  noPage('/builds', '/machines/build/corebuilds:x/edit', '/projects/p/e/services/s/builds/-/new');
});

absence('the dashboard offers no in-place restore, SQL history, or backup of Redis and external databases', () => {
  assert.equal(saying(/in place|SQL history|query history|(?:Redis|external) backups?/i), []);
});

absence('the project settings have no bar of changes, and a logical database has no draft', () => {
  const pages = sources.filter(([name]) => name.startsWith('pages/projectSettings/'));
  assert.ok(pages.length > 0);
  for (const [name, text] of pages) assert.not.match(text, /ChangesBar/, name);
  assert.equal(asking(/logical.*(?:deploy|stop|draft)/i), []);
});

absence('the dashboard has no two-factor or single sign-on, audit log or network log', () => {
  assert.equal(saying(/two-factor|\b2FA\b|one-time code|single sign-on|\bSSO\b|audit (?:log|trail)|network log/i), []);
  noPage('/audit', '/settings/audit', '/settings/sso', '/network-logs', '/machines/a/b/c');
});

absence.run();
