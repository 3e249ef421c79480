import { spawn } from 'node:child_process';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import * as assert from 'uvu/assert';
import {
  httpConfiguration,
  inputConfiguration,
  listenCommand,
  signInCommand,
} from '../../../http/dashboard/pages/commandLine/text.ts';
import { root } from '../../support/product.ts';
import { suite } from '../../support/suite.ts';
import { serve, type Served } from '../served.ts';
import { agentOf, newClient } from './given.ts';

const spec = suite('agent configuration of the dashboard');
let served: Served;
spec.before(async () => {
  served = await serve();
});
spec.after(() => served.stop());

interface Configuration {
  readonly mcpServers: { readonly core: { readonly args?: readonly string[]; readonly url?: string } };
}
const read = (text: string) => (JSON.parse(text) as Configuration).mcpServers.core;

spec('the configuration for standard input starts a read-only agent server', async () => {
  const { token } = await served.makeToken();
  const { args = [] } = read(inputConfiguration(served.url));
  const client = newClient();
  const env = { CORE_TOKEN: token, CORE_CONFIG: '/nonexistent/core.json' };
  const command = {
    command: process.execPath,
    args: ['dist/core.js', ...args],
    env,
    cwd: root,
    stderr: 'ignore' as const,
  };
  await client.connect(new StdioClientTransport(command));
  const agent = agentOf(client);
  const names = await agent.names();
  assert.ok(names.includes('list_apps') && !names.includes('create_app'));
  await agent.close();
});

spec('the command for HTTP listens at the address of its configuration', async () => {
  const { url = '' } = read(httpConfiguration());
  const [, ...args] = listenCommand(served.url).split(' ');
  assert.is(new URL(url).host, args.at(-1));
  const free = [...args.slice(0, -1), '127.0.0.1:0'];
  const child = spawn(process.execPath, ['dist/core.js', ...free], { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] });
  const told = await new Promise<string>((heard) => child.stderr.once('data', (text: Buffer) => heard(String(text))));
  assert.match(told, /^Listening on http:\/\/127\.0\.0\.1:\d+\/mcp for agents of http/);
  child.kill('SIGTERM');
  assert.is(await new Promise((ended) => child.once('exit', ended)), 0);
});

spec('an address is quoted for a shell when necessary', () => {
  assert.is(signInCommand('https://core.example'), 'core login --url https://core.example');
  assert.is(signInCommand("https://core.example/it's"), String.raw`core login --url 'https://core.example/it'\''s'`);
});

spec.run();
