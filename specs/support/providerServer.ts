import { createServer, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Effect } from 'effect';
import type { DnsRecord, ProviderAnswer, Route } from '../../runtime/services/dns/provider.ts';
import type { MemoryProvider } from './memoryProvider.ts';

interface Said {
  readonly status: number;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
}

const ok = (result: unknown, more: object = {}): Said => ({
  status: 200,
  body: { success: true, errors: [], messages: [], result, ...more },
});
const wrong = (status: number, code: number, message: string): Said => ({
  status,
  body: { success: false, errors: [{ code, message }], messages: [], result: null },
});

const answered = <A>(answer: ProviderAnswer<A>, read: (value: A) => Said): Said => {
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
function paged(items: readonly unknown[], query: URLSearchParams): Said {
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

/** Serves a provider in memory as Cloudflare's API does. */
export async function serveProvider(provider: MemoryProvider) {
  const paths: string[] = [];
  const respond = async (request: IncomingMessage): Promise<Said> => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
    const { method = 'GET' } = request;
    paths.push(`${method} ${pathname}`);
    const body = await bodyOf(request);
    const apiToken = (request.headers.authorization ?? '').replace('Bearer ', '');
    const [, , , first = '', second = '', third = '', fourth = '', fifth = ''] = pathname.split('/');
    const login = { apiToken, accountId: first === 'accounts' ? second : '' };
    const run = <A>(asked: Effect.Effect<ProviderAnswer<A>>, read: (value: A) => Said) =>
      answered(Effect.runSync(asked), read);
    const key = `${method} ${first}/${third}${fourth === '' ? '' : '/id'}${fifth === '' ? '' : `/${fifth}`}`;
    switch (key) {
      case 'GET zones/':
        return run(provider.zones(login), (zones) => paged(zones, searchParams));
      case 'GET zones/dns_records':
        return run(provider.records(login, second), (records) => paged(records, searchParams));
      case 'POST zones/dns_records':
        return run(provider.createRecord(login, second, body as unknown as DnsRecord), (id) => ok({ ...body, id }));
      case 'PATCH zones/dns_records/id':
        return run(provider.changeRecord(login, second, { ...(body as unknown as DnsRecord), id: fourth }), (id) =>
          ok({ id }),
        );
      case 'DELETE zones/dns_records/id':
        return run(provider.removeRecord(login, second, fourth), (id) => ok({ id }));
      case 'GET accounts/cfd_tunnel':
        return run(provider.tunnels(login, searchParams.get('name') ?? ''), (tunnels) =>
          paged(
            tunnels.map(({ id, connected }) => ({ id, connections: connected ? [{ colo_name: 'x' }] : [] })),
            searchParams,
          ),
        );
      case 'POST accounts/cfd_tunnel':
        return run(provider.createTunnel(login, String(body['name'])), (id) => ok({ id }));
      case 'GET accounts/cfd_tunnel/id/token':
        return run(provider.tunnelToken(login, fourth), (token) => ok(token));
      case 'PUT accounts/cfd_tunnel/id/configurations': {
        const { ingress = [] } = body['config'] as { readonly ingress?: readonly Route[] };
        return run(provider.publishRoutes(login, fourth, ingress), () => ok({}));
      }
      default:
        return wrong(404, 7_000, `no route for ${key}`);
    }
  };
  const server = createServer((request, response) => {
    void respond(request).then(({ status, body, headers = {} }) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(body));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/client/v4`,
    paths,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
