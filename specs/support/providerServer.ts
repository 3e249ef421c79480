import { createServer, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Effect } from 'effect';
import type { DnsRecord, ProviderAnswer, ProviderLogin, Route } from '../../runtime/services/dns/provider.ts';
import type { MemoryProvider } from './memoryProvider.ts';

interface ProviderResponse {
  readonly status: number;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
}

const ok = (result: unknown, more: object = {}): ProviderResponse => ({
  status: 200,
  body: { success: true, errors: [], messages: [], result, ...more },
});
const wrong = (status: number, code: number, message: string): ProviderResponse => ({
  status,
  body: { success: false, errors: [{ code, message }], messages: [], result: null },
});

const answered = <A>(answer: ProviderAnswer<A>, read: (value: A) => ProviderResponse): ProviderResponse => {
  switch (answer.is) {
    case 'found':
      return read(answer.value);
    case 'refused':
      return wrong(answer.code, 81_053, answer.status);
    case 'limited':
      return { ...wrong(429, 10_000, 'rate limited'), headers: { 'retry-after': '30' } };
    case 'silent':
      return wrong(500, 1, answer.why);
  }
};

/** A page of a list, as the API counts them. */
function paged(items: readonly unknown[], query: URLSearchParams): ProviderResponse {
  const per = Number(query.get('per_page') ?? 20);
  const page = Number(query.get('page') ?? 1);
  const shown = items.slice((page - 1) * per, page * per);
  const total = Math.ceil(items.length / per);
  return ok(shown, {
    result_info: { page, per_page: per, count: shown.length, total_count: items.length, total_pages: total },
  });
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = '';
  for await (const piece of request) text += String(piece);
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
}

interface ProviderRequest {
  readonly login: ProviderLogin;
  /** The zone or the account, and the record or the tunnel in it. */
  readonly second: string;
  readonly fourth: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly query: URLSearchParams;
}

const run = <A>(asked: Effect.Effect<ProviderAnswer<A>>, read: (value: A) => ProviderResponse) =>
  answered(Effect.runSync(asked), read);
const recordIn = (body: ProviderRequest['body']) => body as unknown as DnsRecord;
const routesIn = (body: ProviderRequest['body']): readonly Route[] =>
  (body['config'] as { readonly ingress?: readonly Route[] } | undefined)?.ingress ?? [];

const routes: Readonly<Record<string, (provider: MemoryProvider, asked: ProviderRequest) => ProviderResponse>> = {
  'GET zones/': (provider, { login, query }) => run(provider.zones(login), (zones) => paged(zones, query)),
  'GET zones/dns_records': (provider, { login, second, query }) =>
    run(provider.records(login, second), (records) => paged(records, query)),
  'POST zones/dns_records': (provider, { login, second, body }) =>
    run(provider.createRecord(login, second, recordIn(body)), (id) => ok({ ...body, id })),
  'PATCH zones/dns_records/id': (provider, { login, second, fourth, body }) =>
    run(provider.changeRecord(login, second, { ...recordIn(body), id: fourth }), (id) => ok({ id })),
  'DELETE zones/dns_records/id': (provider, { login, second, fourth }) =>
    run(provider.removeRecord(login, second, fourth), (id) => ok({ id })),
  'GET accounts/cfd_tunnel': (provider, { login, query }) =>
    run(provider.tunnels(login, query.get('name') ?? ''), (tunnels) =>
      paged(
        tunnels.map(({ id, connected }) => ({ id, connections: connected ? [{ colo_name: 'x' }] : [] })),
        query,
      ),
    ),
  'POST accounts/cfd_tunnel': (provider, { login, body }) =>
    run(provider.createTunnel(login, String(body['name'])), (id) => ok({ id })),
  'GET accounts/cfd_tunnel/id/token': (provider, { login, fourth }) =>
    run(provider.tunnelToken(login, fourth), (token) => ok(token)),
  'PUT accounts/cfd_tunnel/id/configurations': (provider, { login, fourth, body }) =>
    run(provider.publishRoutes(login, fourth, routesIn(body)), () => ok({})),
};

/** Serves a provider in memory as Cloudflare's API does. */
export async function serveProvider(provider: MemoryProvider) {
  const paths: string[] = [];
  const told: { loses: (call: string) => boolean } = { loses: () => false };
  const respond = async (request: IncomingMessage): Promise<ProviderResponse> => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
    const { method = 'GET' } = request;
    paths.push(`${method} ${pathname}`);
    const body = await bodyOf(request);
    const apiToken = (request.headers.authorization ?? '').replace('Bearer ', '');
    const [, , , first = '', second = '', third = '', fourth = '', fifth = ''] = pathname.split('/');
    const login = { apiToken, accountId: first === 'accounts' ? second : '' };
    const asked: ProviderRequest = { login, second, fourth, body, query: searchParams };
    const key = `${method} ${first}/${third}${fourth === '' ? '' : '/id'}${fifth === '' ? '' : `/${fifth}`}`;
    return routes[key]?.(provider, asked) ?? wrong(404, 7_000, `no route for ${key}`);
  };
  const server = createServer((request, response) => {
    void respond(request).then(({ status, body, headers = {} }) => {
      if (told.loses(`${request.method} ${request.url}`)) return undefined;
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      return response.end(JSON.stringify(body));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/client/v4`,
    paths,
    /** Which calls it carries out without an answer. */
    told,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
