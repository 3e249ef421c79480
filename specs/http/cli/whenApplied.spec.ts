import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../support/suite.ts';
import { statusOf } from './cases.ts';
import { scriptedServer, type Scripted } from './scripted.ts';
import { terminal, type Terminal } from './terminal.ts';

const spec = suite('applied and pending changes in commands');
let server: Scripted;
let shell: Terminal;

spec.before(async () => {
  server = await scriptedServer();
});
spec.before.each(() => {
  shell = terminal({ env: { CORE_URL: server.url, CORE_TOKEN: 'secret-token' } });
});
spec.after.each(() => shell.clean());
spec.after(() => server.stop());

const pending = /pending: run 'core deploy web' to apply it\n$/;
const atOnce = /applied at once: web is deployed on every change\n$/;

/** The commands that save something of a service, with what the server answers by the state of the gate. */
const saves = [
  {
    line: 'env set web A=1',
    route: 'POST /apps/web/config/set',
    answer: (over: object) => ({ name: 'web', key: 'A', kind: 'config', ...over }),
  },
  {
    line: 'env unset web A',
    route: 'POST /apps/web/config/delete',
    answer: (over: object) => ({ name: 'web', key: 'A', removed: true, ...over }),
  },
  {
    line: 'functions triggers remove web nightly',
    route: 'DELETE /apps/web/triggers/nightly',
    answer: (over: object) => ({ name: 'web', trigger: 'nightly', removed: true, ...over }),
  },
] as const;

const run = async (line: string, route: string, answer: object) => {
  server.forget();
  server.on(route, { json: answer });
  server.on('POST /apps/web/secrets/delete', { json: { removed: false, pending: false, appliesAtOnce: false } });
  const { exit, out, err } = await shell.core(line);
  assert.is(exit, 0, err);
  return { out, err };
};

spec('KND-029 a save is reported as pending or applied as the answer says', async () => {
  for (const { line, route, answer } of saves) {
    assert.match((await run(line, route, answer({ pending: true, appliesAtOnce: false }))).out, pending, line);
    assert.match((await run(line, route, answer({ pending: false, appliesAtOnce: true }))).out, atOnce, line);
    const set = (await run(line, route, answer({ pending: false, appliesAtOnce: false }))).out;
    assert.is(set.trim().split('\n').length, 1, `${line}: a value set back leaves nothing waiting`);
  }
});

spec('KND-029 CLI-249 an update of a function is reported as pending or applied as the answer says', async () => {
  const file = join(shell.folder, 'fn.ts');
  writeFileSync(file, 'export default 1;\n');
  const line = `functions update web ${file}`;
  const told = (over: object) => run(line, 'PATCH /apps/web', statusOf('web', over));
  assert.match((await told({ pendingChanges: true, appliesAtOnce: false })).out, pending);
  assert.match((await told({ pendingChanges: false, appliesAtOnce: true })).out, atOnce);
});

spec('CLI-249 a trigger without a next run is reported as pending', async () => {
  const add = async (nextAt: string | null) => {
    server.forget();
    server.on('POST /apps/web/triggers', { json: { name: 'nightly', cron: '0 3 * * *', lastAt: null, nextAt } });
    return (await shell.core(['functions', 'triggers', 'add', 'web', 'nightly', '--cron', '0 3 * * *'])).out;
  };
  assert.match(await add(null), pending);
  assert.is(await add('2026-01-01T03:00:00Z'), 'added nightly\n');
});

spec('CLI-207 scale prints the reason when the copies do not run at once', async () => {
  const note = 'It is a draft: no copy runs until it is deployed.';
  const { out, err } = await run('scale web 3', 'POST /apps/web/scale', { name: 'web', replicas: 3, note });
  assert.equal([out, err], ['web scaled to 3\n', `${note}\n`]);
});

spec.run();
