import * as assert from 'uvu/assert';
import { suite } from '../../support/suite.ts';
import { type Case, cases, deployment, statusOf, summary } from './cases.ts';
import { type Answer, scriptedServer, type Scripted } from './scripted.ts';
import { terminal, type Terminal } from './terminal.ts';
import { isObject } from '../../../rules/json.ts';

const spec = suite('answers of another API version');
let server: Scripted;
let shell: Terminal;

spec.before(async () => {
  server = await scriptedServer();
});
spec.before.each(() => {
  server.forget();
  shell = terminal({ env: { CORE_URL: server.url, CORE_TOKEN: 'secret-token' } });
});
spec.after.each(() => shell.clean());
spec.after(() => server.stop());

const place = '-p shop -e production';
const of = (line: string, answers: Readonly<Record<string, unknown>>): Case => ({
  line: line.split(' '),
  answers: Object.fromEntries(Object.entries(answers).map(([route, json]) => [route, [{ json }]])),
  sends: [],
  prints: /./,
});
const created = { name: 'web', kind: 'CoreApp', deployed: true, note: 'the plan fits' };
const identity = { username: 'token:ci', role: 'admin', scope: 'project', project: 'shop', environment: 'production' };
const compliance = {
  project: 'shop',
  requiredTags: ['eu'],
  checks: [{ check: 'tagsExist', ok: false, message: 'no node' }],
  resources: [{ kind: 'CoreApp', name: 'web', environment: 'e', node: 'n', compliant: false, why: 'elsewhere' }],
};

/** What the cases of every command leave out: waits, and answers that hold all that they may. */
const more: readonly Case[] = [
  of(`apps create web --image nginx ${place} --deploy`, { 'POST /apps': created }),
  of('deploy web --wait', { 'POST /apps/web/deploy': created, 'GET /apps/web/status': statusOf('web') }),
  of(`deploy --wait ${place}`, {
    'POST /projects/shop/deploy': { environment: 'production', deployed: ['web'], refused: [] },
    'GET /apps': { items: [summary('web')] },
    'GET /apps/web/status': statusOf('web'),
  }),
  of(`databases restore db-archive ${place} --wait`, {
    'POST /databases/restore': { name: 'copy', deployed: true },
    'GET /databases/copy': { resource: { state: 'ready', message: 'runs' } },
  }),
  of('login --name here', { 'GET /me': { ...identity, canMutate: true, expiresAt: '2030-01-01T00:00:00Z' } }),
  of('compliance get -p shop', { 'GET /projects/shop/compliance': compliance }),
  of('rollback web', {
    'GET /apps/web/deployments': { items: [deployment('web-2'), deployment('web-1')] },
    'POST /apps/web/rollback': { note: 'its port came back too' },
  }),
  of('logs web', {
    'GET /apps/web/logs': {
      items: [{ t: '2026-01-01T00:00:00Z', pod: 'web-1', line: 'hello' }],
      missing: [{ pod: 'web-2', why: 'it is gone' }],
    },
  }),
  of('explain web', {
    'GET /apps/web/explain': { machine: 'service', shown: 'Failed', text: 'x', failure: { text: 'y', count: 2 } },
  }),
];

/** A value without one field each, with the place of that field; lists are alike in all their elements. */
function* withoutEach(value: unknown): Generator<readonly [place: string, value: unknown]> {
  if (Array.isArray(value)) {
    for (const [place] of withoutEach(value[0])) {
      const without = value.map((item: unknown) => [...withoutEach(item)].find(([one]) => one === place)?.[1] ?? item);
      yield [`[].${place}`, without];
    }
    return;
  }
  if (!isObject(value)) return;
  for (const [name, field] of Object.entries(value)) {
    yield [name, Object.fromEntries(Object.entries(value).filter(([other]) => other !== name))];
    for (const [place, without] of withoutEach(field)) yield [`${name}.${place}`, { ...value, [name]: without }];
  }
}

/** A list cannot be without its items, nor an item without its name. */
const isOfList = (place: string) => /^items(?:\.\[\]\.name)?$/.test(place);
/** The other fields that a command cannot do without: what it is asked for, whom it asks next, and how it ends. */
const needed = [
  'GET /apps items.[].details',
  'GET /apps/web/deployments items.[].id',
  'GET /apps/web/explain items.[].text',
  'GET /apps/web/explain text',
  'GET /apps/web/logs items.[].line',
  'GET /apps/web/metrics series',
  'GET /apps/web/metrics series.cpu.[].v',
  'GET /attention items.[].cause.message',
  'GET /attention items.[].object.name',
  'GET /backup-archives items.[].details',
  'GET /backup-archives items.[].details.database',
  'GET /backup-archives/db-archive status.restorePoints.[].id',
  'GET /builds/web-1/explain text',
  'GET /databases/copy resource',
  'GET /databases/copy resource.state',
  'GET /databases/db/transitions items.[].to',
  'GET /me username',
  'GET /nodes/one spec',
  'GET /projects/shop/compliance checks',
  'GET /projects/shop/compliance checks.[].ok',
  'GET /projects/shop/compliance resources.[].compliant',
  'POST /apps deployed',
  'POST /apps/fn/call status',
  'POST /databases/restore name',
  'POST /projects/shop/deploy deployed',
];

spec(
  'CLI-229 CLI-230 every command works without the fields it does not need and names a missing one it does',
  async () => {
    const missed = new Set<string>();
    let tried = 0;
    for (const { line, answers } of [...cases, ...more])
      for (const [route, given] of Object.entries(answers))
        for (const [place, json] of withoutEach((given[0] as { readonly json: unknown }).json)) {
          server.forget();
          for (const [other, all] of Object.entries(answers))
            server.on(other, ...(other === route ? ([{ json }] satisfies readonly Answer[]) : all));
          const { exit, err } = await shell.core(line);
          tried += 1;
          if (exit === 0 || isOfList(place)) continue;
          missed.add(`${route} ${place}`);
          if (err.includes('unexpected'))
            assert.match(err, /^Error: the service answered something unexpected: the answer\S* is no/);
        }
    assert.ok(tried > 300, `${tried} answers were tried`);
    assert.equal([...missed].toSorted(), needed.toSorted());
  },
);

spec('CLI-229 CLI-230 a created service is reported as deploying only when the answer says so', async () => {
  const create = (...flags: readonly string[]) =>
    shell.core(['apps', 'create', 'web', '--image', 'a', ...place.split(' '), ...flags]);
  for (const json of [{ name: 'web', draft: true }, {}]) {
    server.on('POST /apps', { json });
    assert.equal([(await create()).exit, (await create()).out], [0, 'Created web as a draft.\n']);
    assert.equal(await create('--deploy'), {
      exit: 1,
      out: '',
      err: 'Error: web was saved as a draft: the service did not deploy it\n',
    });
  }
});

spec.run();
