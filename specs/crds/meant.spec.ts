import * as assert from 'uvu/assert';
import { nextTime } from '../../rules/function/cron.ts';
import { suite } from '../support/suite.ts';
import { core, install, type Started, started } from '../runtime/embedded/started.ts';
import { faultsIn } from './accepted.ts';

const spec = suite<{ api: Started }>('accepted values');
spec.before(async (context) => {
  context.api = await started();
  await install(context.api);
});
spec.after(({ api }) => api.end());

/** The faults of a service that nobody keeps. */
async function faults({ send }: Started, fields: object): Promise<readonly string[]> {
  const body = {
    apiVersion: 'core.platform/v1alpha1',
    kind: 'CoreApp',
    metadata: { name: 'web' },
    spec: { project: 'shop', environment: 'production', source: { image: 'nginx' }, ...fields },
  };
  return faultsIn(await send('POST', `${core}/coreapps?dryRun=All&fieldValidation=Strict`, { body }));
}
const fromGit = (git: object) => ({ source: { git: { repository: 'demo/shop', ...git } } });

spec('GIT-005 GIT-006 every valid branch and file pattern is accepted', async ({ api }) => {
  for (const branch of [
    '',
    'main',
    'feature/x',
    'refs/x',
    'v1.2',
    'a-b_c',
    'ä',
    'x@y',
    'lock',
    'a.locked',
    '#1',
    'a{1}',
  ])
    assert.equal(await faults(api, fromGit({ branch })), [], branch);
  for (const pattern of [
    '**',
    '*',
    '/api/**',
    './a',
    'docs/',
    '!docs/**',
    '!/a',
    '.github/**',
    '..a',
    '...',
    'a b/[x]/(y)',
    '/!a',
  ])
    assert.equal(await faults(api, fromGit({ watchPaths: [pattern] })), [], pattern);
});

spec('every valid host name is accepted, in any case and with a trailing dot', async ({ api }) => {
  const longest = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(61)}`;
  for (const host of [
    '',
    'shop.example.com',
    'Shop.Example.COM',
    'shop.example.com.',
    '9.example',
    'xn--a.xn--b',
    'a.b',
    longest,
  ])
    assert.equal(await faults(api, { networking: { host } }), [], host);
});

spec('every variable value and every schedule with a due time is accepted', async ({ api }) => {
  for (const value of ['', 'a\nb', '\t', '😀', '\u0001', '\uFFFD'])
    assert.equal(await faults(api, { config: { A: value }, secretData: { B: value } }), [], JSON.stringify(value));
  const due = [
    '0 3 * * *',
    '0 0 29 2 *',
    '0 0 31 2 1',
    '0 0 31 1,2 *',
    '0 0 30,31 4 *',
    '0 0 28-31 2 *',
    '0 0 31 12 *',
    '0 0 31 */2 *',
  ];
  for (const cron of due) {
    assert.is.not(nextTime(cron, 0), null, cron);
    const schedules = [{ name: 'one', cron }];
    assert.equal(await faults(api, { source: { function: { runtime: 'bun', code: 'x', schedules } } }), [], cron);
  }
});

spec.run();
