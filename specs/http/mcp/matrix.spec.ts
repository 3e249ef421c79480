import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import * as assert from 'uvu/assert';
import type { Allowed } from '../../../http/mcp/offered.ts';
import { tools } from '../../../http/mcp/tools/all.ts';
import { root } from '../../support/product.ts';
import { suite } from '../../support/suite.ts';
import type { Served } from '../served.ts';
import { serveShop } from '../services/given.ts';
import { agentOf, newClient, serveAgents } from './given.ts';

const spec = suite('tools by caller and flags');
const page = new URL('matrix.md', import.meta.url);

/** What the server of agents may be started with. */
const starts: readonly { readonly flags: readonly string[]; readonly allowed: Allowed }[] = [
  { flags: [], allowed: { readOnly: false, deletion: false } },
  { flags: ['--read-only'], allowed: { readOnly: true, deletion: false } },
  { flags: ['--allow-delete'], allowed: { readOnly: false, deletion: true } },
  { flags: ['--read-only', '--allow-delete'], allowed: { readOnly: true, deletion: true } },
];
const live = ['admin', 'observer', 'viewer', 'project'] as const;
const dead = ['revoked', 'expired'] as const;
type Caller = (typeof live)[number] | (typeof dead)[number];

/** What a caller is offered, by the flags of the server: none where its token is refused. */
type Offer = readonly (readonly string[])[];

let served: Served;
const tokens = new Map<Caller, string>();
const tokenOf = (caller: Caller): string => tokens.get(caller) ?? '';

spec.before(async () => {
  served = await serveShop();
  const make = async (caller: Caller, fields: object) => {
    const made = await served.makeToken({ name: caller, role: undefined, ...fields });
    tokens.set(caller, made.token);
    return made.id;
  };
  await make('admin', { role: 'admin' });
  await make('observer', { role: 'observer' });
  await make('viewer', { role: 'viewer' });
  await make('project', { project: 'shop', environment: 'production' });
  await make('expired', { role: 'admin', expiresAt: new Date(served.now() + 60_000).toISOString() });
  served.clock.ahead += 60_001;
  const id = await make('revoked', { role: 'admin' });
  await served.ask(`/api/v1/tokens/${id}`, { method: 'DELETE' });
});
spec.after(() => served.stop());

/** The tools of every caller, as the library of an agent lists them over HTTP. */
async function offersOverHttp(): Promise<ReadonlyMap<Caller, Offer>> {
  const offers = new Map<Caller, (readonly string[])[]>([...live, ...dead].map((caller) => [caller, []]));
  for (const { allowed } of starts) {
    const agents = await serveAgents(served, allowed);
    for (const [caller, offer] of offers) {
      const agent = await agents.connect(tokenOf(caller)).catch((error: unknown) => String(error));
      if (typeof agent === 'string') assert.match(agent, /401|Unauthorized|not valid/, caller);
      offer.push(typeof agent === 'string' ? [] : await agent.names());
      if (typeof agent !== 'string') await agent.close();
    }
    await agents.stop();
  }
  return offers;
}

const command = (caller: Caller, flags: readonly string[]) => ({
  command: process.execPath,
  args: ['dist/core.js', 'mcp', '--url', served.url, ...flags],
  env: { CORE_TOKEN: tokenOf(caller), CORE_CONFIG: '/nonexistent/core.json' },
  cwd: root,
});

/** The same over standard input and output, where each server is a process. */
async function offerOverInput(caller: Caller, flags: readonly string[]): Promise<readonly string[]> {
  const client = newClient();
  await client.connect(new StdioClientTransport({ ...command(caller, flags), stderr: 'ignore' }));
  const agent = agentOf(client);
  const names = await agent.names();
  await agent.close();
  return names;
}

/** By which of the four starts a tool is offered. */
const words: Readonly<Record<string, string>> = {
  'true true true true': 'reads',
  'true false true false': 'changes',
  'false false true false': 'deletes',
  'false false false false': '-',
};

function pageOf(offers: ReadonlyMap<Caller, Offer>): string {
  const callers = [...offers.keys()];
  const cell = (tool: string, caller: Caller): string => {
    const by = (offers.get(caller) ?? []).map((names) => names.includes(tool)).join(' ');
    return words[by] ?? `offered by ${by}`;
  };
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    '# What agents are offered',
    '',
    'Printed by `UPDATE=matrix npm test -- mcp/matrix` from what a server of agents lists.',
    '`reads`: with every flag. `changes`: not with `--read-only`. `deletes`: with `--allow-delete`, and not with `--read-only`.',
    '',
    line(['tool', ...callers]),
    line(['---', ...callers.map(() => '---')]),
    ...tools.map(({ name }) => line([name, ...callers.map((caller) => cell(name, caller))])),
    '',
  ].join('\n');
}

spec(
  'MCP-002 MCP-003 MCP-004 MCP-015 MCP-021 every tool is offered exactly to callers allowed to use its routes, over both transports',
  async () => {
    const offers = await offersOverHttp();
    const printed = pageOf(offers);
    if (process.env['UPDATE'] === 'matrix') writeFileSync(page, printed);
    const rows = (text: string) => text.split('\n').map((row) => row.replace(/ {2,}|-{3,}/g, ' '));
    assert.equal(rows(readFileSync(page, 'utf8')), rows(printed), 'run UPDATE=matrix npm test -- mcp/matrix');
    // The flags are the same of whoever calls: they are tried on one caller.
    const tried = [
      ...live.map((caller) => ({ caller, at: 0 })),
      ...[1, 2, 3].map((at) => ({ caller: 'admin' as const, at })),
    ];
    for (const { caller, at } of tried)
      assert.equal(await offerOverInput(caller, starts[at]?.flags ?? []), offers.get(caller)?.[at], `${caller} ${at}`);
  },
);

spec('MCP-012 MCP-017 the server ends before the protocol starts when the token is revoked or expired', async () => {
  for (const caller of dead) {
    const { command: program, args, env, cwd } = command(caller, []);
    const [exit, out] = await new Promise<readonly [unknown, string]>((ended) => {
      const child = execFile(program, args, { env, cwd }, (error, stdout) => ended([error?.code, stdout]));
      child.stdin?.end();
    });
    assert.equal([exit, out], [4, ''], caller);
  }
});

spec.run();
