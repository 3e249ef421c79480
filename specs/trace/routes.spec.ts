import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { routes } from '../../rules/access/routes.ts';
import { suite } from '../support/suite.ts';
import { here } from './project.ts';
import { parseRequirements, requirementsFile } from './requirements.ts';
import { readTitles } from './titles.ts';

const spec = suite('ids of routes');

/** Addresses that requirements tell of and that are no routes of the API. */
const besides = new Set([
  '/core-probe',
  '/assets/*',
  '/device',
  '/webhooks/git',
  '/workspace/<context>',
  '/repos/<repository>/commits/<sha>/check-runs',
  '/api',
  '/api/',
  '/api/v1',
  '/api/auth/',
  '/api/auth/...',
]);

/** An address without its version, its query and the names of its parameters. */
const shapeOf = (address: string) =>
  address
    .replace(/^\/api(\/v1)?(?=\/)/, '')
    .replace(/\?.*$/, '')
    .replaceAll(/\{[^}]+\}|<[^>]+>/g, '*');

/** Routes of several kinds that a requirement tells of at once. */
const kinds = ['apps', 'databases', 'projects'];

const served = new Set(Object.keys(routes).map((route) => shapeOf(route.replace(/^\S+ /, ''))));

/** `/secrets/set` alone: a requirement names the whole address before it. */
const isRest = (address: string): boolean =>
  address.split('/').length > 2 && [...served].some((route) => route.endsWith(`*${address}`));

const isServed = (address: string): boolean =>
  address.includes('{kind}')
    ? kinds.every((kind) => served.has(shapeOf(address.replace('{kind}', kind))))
    : served.has(shapeOf(address)) || isRest(shapeOf(address));

/** The addresses in a requirement that nobody answers. */
const unanswered = (requirement: string): readonly string[] =>
  [...requirement.matchAll(/`(?:[A-Z]+ )?(\/[^`\s]*)`/g)]
    .map(([, address = '']) => address)
    .filter((address) => !besides.has(address.replace(/\?.*$/, '')) && !isServed(address));

spec('no test names a requirement of a route that does not exist', () => {
  const requirements = parseRequirements(readFileSync(join(here, requirementsFile), 'utf8'));
  const missing = new Map(requirements.map(({ id, requirement }) => [id, unanswered(requirement)]));
  const named = readTitles(here).flatMap(({ file, line, ids }) =>
    ids.flatMap((id) => (missing.get(id) ?? []).map((address) => `${file}:${line} ${id}: ${address}`)),
  );
  assert.equal(named, []);
});

spec('an address is found in a requirement with its method or without, with its version or without', () => {
  assert.equal(unanswered('`GET /apps`, `/apps/{name}` and `POST /api/v1/apps/<app>/build` answer'), []);
  assert.equal(unanswered('`GET /api/v1/{kind}/{name}/metrics?window=...`'), []);
  assert.equal(unanswered('`/apps/{name}/weather` and `GET /api/v1/stores?x=1`, too'), [
    '/apps/{name}/weather',
    '/api/v1/stores?x=1',
  ]);
});

spec.run();
