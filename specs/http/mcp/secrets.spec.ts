import * as assert from 'uvu/assert';
import { tools } from '../../../http/mcp/tools/all.ts';
import { suite } from '../../support/suite.ts';
import { cases } from '../cli/cases.ts';
import { terminal } from '../cli/terminal.ts';
import type { Served } from '../served.ts';
import { asking, serveShop } from '../services/given.ts';
import { serveAgents } from './given.ts';

const spec = suite('secrets in commands and tools');
const mark = 'a-value-nobody-may-read';

let served: Served;
let token: string;
spec.before(async () => {
  served = await serveShop();
  const the = asking(served);
  await the.deployed();
  await the.post('/apps/web/secrets/set', { key: 'KEY', value: mark });
  ({ token } = await served.makeToken({ name: 'all', role: 'admin' }));
});
spec.after(() => served.stop());

const isQuiet = (told: string): boolean => !told.includes(mark) && !told.includes(token);

/** What a tool is asked with, as far as it takes it. */
const given: Readonly<Record<string, unknown>> = {
  name: 'web',
  app: 'web',
  kind: 'apps',
  key: 'OTHER',
  value: mark,
  secret: true,
  project: 'shop',
  environment: 'production',
  replicas: 2,
  never: true,
  machine: 'service',
};

spec('MCP-005 no tool returns a secret or the token, in answers and refusals', async () => {
  const agents = await serveAgents(served);
  const agent = await agents.connect(token);
  const answered: string[] = [];
  for (const { name, input, deletes } of tools) {
    if (deletes) continue;
    const args = Object.fromEntries(Object.entries(given).filter(([field]) => Object.hasOwn(input, field)));
    const told = JSON.stringify(await agent.call(name, args));
    assert.ok(isQuiet(told), `${name}: ${told}`);
    if (!/does not take|was not found/.test(told)) answered.push(name);
  }
  assert.ok(answered.length >= 20, answered.join(' '));
  const refused = JSON.stringify(await agent.call('app_logs', { app: 'web', tail: mark, more: mark }));
  assert.match(refused, /does not take these arguments: tail: /);
  assert.ok(isQuiet(refused));
  await agent.close();
  await agents.stop();
});

spec('CLI-183 no command prints a secret or the token or leaves one in its file', async () => {
  const shell = terminal({ env: { CORE_URL: served.url, CORE_TOKEN: token } });
  const quiet = async (line: string | readonly string[]) => {
    const { out, err } = await shell.core(line);
    assert.ok(isQuiet(`${out}${err}`), `${String(line)}: ${out}${err}`);
  };
  await quiet(['env', 'set', 'web', `MORE=${mark}`, '--secret']);
  for (const { line } of cases.filter((one) => !['-f', '--wait', 'delete'].some((word) => one.line.includes(word)))) {
    await quiet(line);
    await quiet([...line, '--json']);
  }
  await quiet(['env', 'set', 'web', mark]);
  await shell.core(['login', '--url', served.url, '--token', token]);
  await quiet('config get-contexts');
  await quiet('config get-contexts --json');
  await quiet('whoami --json');
  shell.clean();
});

spec.run();
