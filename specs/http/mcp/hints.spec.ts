import * as assert from 'uvu/assert';
import { tools } from '../../../http/mcp/tools/all.ts';
import { suite } from '../../support/suite.ts';
import { serve, type Served } from '../served.ts';
import { serveAgents } from './given.ts';

const spec = suite('descriptions of tools');

let served: Served;
let agents: Awaited<ReturnType<typeof serveAgents>>;
let token: string;
spec.before(async () => {
  served = await serve();
  agents = await serveAgents(served);
  ({ token } = await served.makeToken());
});
spec.after(async () => {
  await agents.stop();
  await served.stop();
});

interface Listed {
  readonly name: string;
  readonly title?: string;
  readonly annotations: Readonly<Record<string, unknown>>;
  readonly inputSchema: {
    readonly properties: Readonly<Record<string, object>>;
    readonly required?: readonly string[];
  };
  readonly outputSchema: { readonly properties: object; readonly required?: readonly string[] };
}

/** What the server answers to `tools/list`, as its bytes say it. */
async function listed(params: object) {
  const response = await fetch(agents.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${token}`,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params }),
  });
  const [json = 'null'] = /\{.*\}/.exec(await response.text()) ?? [];
  return JSON.parse(json) as { readonly result?: { readonly tools: readonly Listed[] }; readonly error?: object };
}

/** The words of api.md, Agent tools; what is not named only reads. */
const hints: Readonly<Record<string, string>> = {
  deploy_app: '',
  deploy_environment: '',
  retry: '',
  build_app: '',
  cancel_build: '',
  create_app: '',
  call_function: 'open world',
  rollback_app: 'destructive',
  // Their routes may be sent again.
  scale_app: 'destructive idempotent',
  sleep_app: 'destructive idempotent',
  set_variable: 'destructive idempotent',
  unset_variable: 'destructive idempotent',
  deploy_database: '',
  restore_database: '',
  delete_resource: 'destructive',
};

spec('each tool has a unique title and the hints of its routes', async () => {
  const { result } = await listed({});
  const all = result?.tools ?? [];
  assert.is(all.length, tools.length);
  for (const { name, title = '', annotations } of all) {
    const text = hints[name] ?? 'read-only idempotent';
    assert.equal(
      annotations,
      {
        title,
        readOnlyHint: text.includes('read-only'),
        destructiveHint: text.includes('destructive'),
        idempotentHint: text.includes('idempotent'),
        openWorldHint: text.includes('open world'),
      },
      name,
    );
    assert.match(title, /^[A-Z][a-z -]+$/, name);
  }
  assert.is(new Set(all.map(({ title }) => title)).size, all.length);
  assert.equal(
    Object.keys(hints).filter((name) => !all.some((one) => one.name === name)),
    [],
  );
});

spec('each list accepts search, limit and cursor, and a state when its items have one', async () => {
  const { result } = await listed({});
  const lists = (result?.tools ?? []).filter(({ name }) => name.startsWith('list_') || name === 'app_status');
  assert.is(lists.length, 12);
  for (const { name, inputSchema, outputSchema } of lists) {
    const takes = ['state', 'search', 'limit', 'cursor'].filter((one) => one in inputSchema.properties);
    assert.equal(takes, ['state', 'search', 'limit', 'cursor'].slice(name === 'list_variables' ? 1 : 0), name);
    assert.equal(Object.keys(outputSchema.properties), ['items', 'next', 'left_out'], name);
    assert.equal(outputSchema.required, ['items', 'left_out'], name);
  }
});

spec('MCP-015 the list of tools has one page, and any cursor is refused as invalid params', async () => {
  for (const cursor of ['', 'x', 'bm9uZQ'])
    assert.equal((await listed({ cursor })).error, {
      code: -32_602,
      message: 'unknown cursor: all tools are listed at once',
    });
});

spec.run();
