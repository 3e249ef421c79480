import * as assert from 'uvu/assert';
import { defaults } from '../../../http/program/settings.ts';
import { listenCommand } from '../../../http/dashboard/pages/commandLine/text.ts';
import { type Page, pages } from '../../../http/cli/reference/pages.ts';
import { roleRefusals } from '../../../rules/access/refusals.ts';
import { needs } from '../../../rules/access/needs.ts';
import { nearest } from '../../../rules/nearest.ts';
import { suite } from '../../support/suite.ts';
import { scriptedServer, type Scripted } from './scripted.ts';
import { terminal, type Terminal } from './terminal.ts';

const spec = suite('mistyped commands and refused roles');
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

const nearWords: readonly (readonly [typed: string, words: readonly string[], meant: string | null])[] = [
  ['lst', ['list', 'get', 'deploy'], 'list'],
  ['depoly', ['delete', 'deploy'], 'deploy'],
  ['LIST', ['list'], 'list'],
  ['dep', ['deployments', 'deploy'], 'deploy'],
  ['d', ['deploy'], null],
  ['gte', ['set', 'get'], 'get'],
  ['xyzzy', ['list', 'get'], null],
  ['', ['get'], null],
  ['ab', ['cd'], null],
];
spec('the nearest word is the one with the fewest different letters', () => {
  for (const [typed, words, meant] of nearWords) assert.is(nearest(typed, words), meant, typed);
});

/** A word with its second letter left out. */
const mistyped = (word: string) => `${word.slice(0, 1)}${word.slice(2)}`;
const longNames = ({ leaf: { flags = [] } }: Page) => flags.flatMap((flag) => /--[a-z-]+/.exec(flag.flags) ?? []);

spec('CLI-256 a mistyped command gets a suggestion at every level and sends no request', async () => {
  for (const { way } of pages)
    for (const [at, word] of way.entries()) {
      const typed = mistyped(word);
      const before = way.slice(1, at);
      const siblings = pages
        .map((page) => page.way)
        .filter((other) => other.slice(0, at).join() === way.slice(0, at).join());
      if (at === 0 || typed.length < 2 || siblings.some((other) => other[at] === typed)) continue;
      for (const line of [
        [...before, typed],
        [...before, typed, 'x', '--tail', '5'],
        ['help', ...before, typed],
      ]) {
        const { exit, err } = await shell.core(line);
        const near = /: did you mean (\S+)\?\n$/.exec(err)?.[1];
        assert.is(exit, 2, line.join(' '));
        assert.ok(near !== undefined && siblings.some((other) => other[at] === near), `${line.join(' ')}: ${err}`);
      }
    }
  assert.is((await shell.core('apps lst')).err, 'Error: unknown command "lst": did you mean list?\n');
  assert.is((await shell.core('strat')).err, 'Error: unknown command "strat": did you mean start?\n');
  assert.is((await shell.core('apps xyzzy')).err, 'Error: unknown command "xyzzy": see \'core help apps\'\n');
  assert.equal(server.asked(), []);
});

spec('CLI-256 a mistyped flag gets a suggestion from every command', async () => {
  for (const page of pages)
    for (const flag of [...longNames(page), '--json', '--environment']) {
      const typed = `--${mistyped(flag.slice(2))}`;
      if (longNames(page).includes(typed)) continue;
      const { exit, err } = await shell.core([...page.way.slice(1), typed]);
      assert.is(exit, 2, `${page.way.join(' ')} ${typed}`);
      assert.match(err, /^Error: unknown option '--[a-z-]+': did you mean (?:one of )?--/, page.way.join(' '));
    }
  const { err } = await shell.core('apps --jsn');
  assert.is(err, "Error: unknown option '--jsn': did you mean --json?\n");
});

spec('CLI-172 CLI-254 a refusal of a parameter by the API names the flag it was given with', async () => {
  const told: readonly (readonly [route: string, line: string, says: string, tells: string])[] = [
    [
      'GET /apps/web/logs',
      'logs web --search x',
      'q must be at most 200 characters',
      '--search must be at most 200 characters',
    ],
    [
      'GET /apps/web/logs/stream',
      'logs web -f --search x',
      'q must be at most 200 characters',
      '--search must be at most 200 characters',
    ],
    ['GET /apps/web/logs', 'logs web --since 169h', 'since must be a duration', '--since must be a duration'],
    ['GET /apps/web/logs', 'logs web --tail 0', 'tail must be a whole number', '--tail must be a whole number'],
    ['GET /apps/web/logs', 'apps logs web --tail=0', 'tail must be a whole number', '--tail must be a whole number'],
    ['POST /apps/web/scale', 'scale web -1', 'replicas must be a whole number', 'replicas must be a whole number'],
    [
      'POST /nodes/one/tags',
      'nodes tag one a --reserve b',
      'reserved must be one of the tags',
      '--reserve must be one of the tags',
    ],
    ['POST /apps/fn/call', 'functions call fn --path x', 'path must be a path', '--path must be a path'],
    [
      'POST /apps/fn/triggers',
      'functions triggers add fn t --cron x',
      'cron must be a cron expression',
      '--cron must be a cron expression',
    ],
    [
      'POST /apps',
      'apps create web --image a --port 0 -p shop -e x',
      'port must be a whole number',
      '--port must be a whole number',
    ],
    [
      'POST /apps',
      'apps create web --image a -p shop -e x',
      'project must be the name of a project',
      '--project must be the name of a project',
    ],
    [
      'POST /apps',
      'apps create Web --image a -p shop -e x',
      'name must be lowercase letters',
      'name must be lowercase letters',
    ],
    [
      'POST /databases/restore',
      'db restore a --restore-point x -p s -e x',
      'restorePoint must be a point',
      '--restore-point must be a point',
    ],
    ['GET /apps', 'apps list', 'limit must be a whole number', 'limit must be a whole number'],
  ];
  server.on('GET /nodes/one', { json: { spec: { tags: ['a'] } } });
  for (const [route, line, error, tells] of told) {
    server.on(route, { status: 400, json: { error } });
    assert.equal(await shell.core(line), { exit: 1, out: '', err: `Error: ${tells}\n` }, line);
  }
});

const readOnly = 'this login is read-only: sign in again with core login, an admin approves it as admin';
const savedLogin = async (role: string) => {
  server.on('GET /me', { json: { username: 'token:x', role } });
  const { exit } = await shell.core(`login --url ${server.url} --token saved-token`);
  assert.is(exit, 0);
};
/** The saved login, and no token that was brought along. */
const asSaved = { env: {} };

spec('CLI-261 a login refused for its role gets a hint how to use another', async () => {
  await savedLogin('viewer');
  for (const error of roleRefusals) {
    server.on('GET /apps', { status: 403, json: { error } });
    server.on('POST /apps/web/deploy', { status: 403, json: { error } });
    const err = `Error: ${error}\n${readOnly}\n`;
    assert.equal(await shell.core('apps list', asSaved), { exit: 4, out: '', err });
    assert.equal(await shell.core('deploy web', asSaved), { exit: 4, out: '', err });
    // A token that was brought along would be used by the next sign-in too.
    assert.is((await shell.core('apps list')).err, `Error: ${error}\n`);
  }
  for (const error of [
    'a project token cannot do this',
    'an API token cannot do this: an admin has to, signed in to the dashboard',
  ]) {
    server.on('GET /apps', { status: 403, json: { error } });
    assert.is((await shell.core('apps list', asSaved)).err, `Error: ${error}\n`);
  }
});

spec(
  'the role refusals known to the command line include every one of a role token and none of a project token',
  () => {
    for (const [name, need] of Object.entries(needs)) {
      if (name === 'adminSession' || name === 'console') continue;
      for (const caller of ['viewer token', 'observer token'] as const) {
        const grant = need[caller];
        if (grant.is === 'refused') assert.ok(roleRefusals.has(grant.text), `${name}: ${grant.text}`);
      }
      const ofProject = need['project token'];
      if (ofProject.is === 'refused') assert.not.ok(roleRefusals.has(ofProject.text), name);
    }
  },
);

spec('CLI-057 variables are trimmed, and one of only spaces counts as absent', async () => {
  server.on('GET /apps', { json: { items: [] } });
  const env = {
    CORE_URL: ` ${server.url}\n`,
    CORE_TOKEN: ' secret-token\r\n',
    CORE_PROJECT: 'shop\n',
    CORE_ENVIRONMENT: ' live',
  };
  assert.is((await shell.core('status', { env })).exit, 0);
  assert.is((await shell.core(['status', '--token', 'secret-token\n'], { env: { ...env, CORE_TOKEN: '' } })).exit, 0);
  for (const { headers, query } of server.reached)
    assert.equal(
      [headers.authorization, query],
      ['Bearer secret-token', { project: 'shop', environment: 'live', limit: '500' }],
    );
  assert.is((await shell.core('status', { env: { ...env, CORE_TOKEN: ' \n' } })).exit, 4);
  server.on('GET /me', { json: { username: 'token:x', role: 'admin' } });
  assert.is((await shell.core('login', { env })).exit, 0);
  assert.is(shell.saved().contexts?.[new URL(server.url).host]?.['token'], 'secret-token');
});

spec('no example of the agent server listens on a port of the server', () => {
  const ports = Object.entries(defaults).flatMap(([name, value]) => (name.endsWith('port') ? [value] : []));
  const examples = pages.flatMap(({ leaf }) => leaf.examples).filter((example) => example.includes('--listen'));
  assert.ok(examples.length > 1);
  for (const line of [...examples, listenCommand('https://core.example.com')])
    for (const port of ports) assert.not.match(line, `:${port}`);
});

spec.run();
