import { Clock, Effect } from 'effect';
import { Agent, request } from 'undici';
import type { DnsProviderShape, DnsRecord, ProviderAnswer, ProviderLogin, Zone } from './provider.ts';
import { bodyText } from '../bodyText.ts';

const answersWithinMs = 10_000;
const maxAnswer = 16 * 1024 * 1024;
/** The largest page of the API. */
const zonesPerPage = 50;
const recordsPerPage = 1_000;
/** The pause after a rate limit without a time. */
const limitedForMs = 60_000;

interface Asking {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: object;
}

/** The form of every response of the API. */
interface Envelope {
  readonly success?: boolean;
  readonly errors?: readonly { readonly code?: number; readonly message?: string }[];
  readonly result?: unknown;
  readonly result_info?: { readonly total_pages?: number; readonly total_count?: number; readonly per_page?: number };
}

interface Answered {
  readonly status: number;
  readonly retryAfter: string;
  readonly envelope: Envelope;
}

function envelopeOf(text: string): Envelope {
  try {
    return JSON.parse(text) as Envelope;
  } catch {
    return {};
  }
}

/** Includes the messages: the codes alone do not help people, and messages contain no secret. */
const saidOf = ({ errors = [] }: Envelope): string =>
  errors.map(({ code = 0, message = '' }) => `${message} (${code})`).join('; ');

function answerOf({ status, retryAfter, envelope }: Answered, now: number): ProviderAnswer<Envelope> {
  if (status === 429) {
    const seconds = Number(retryAfter);
    return { is: 'limited', until: now + (seconds > 0 ? seconds * 1_000 : limitedForMs) };
  }
  if (status >= 500) return { is: 'silent', why: `HTTP ${status}` };
  const isGood = status >= 200 && status < 300 && envelope.success === true;
  if (isGood) return { is: 'found', value: envelope };
  return { is: 'refused', code: status, status: `HTTP ${status} ${saidOf(envelope)}`.trim() };
}

/** Cloudflare's API, as far as Core uses it. */
export function cloudflare(baseUrl: string): DnsProviderShape {
  const base = baseUrl.replace(/\/+$/, '');
  const dispatcher = new Agent({ connections: 4 });

  const send = async ({ apiToken }: ProviderLogin, { method, path, body }: Asking): Promise<Answered> => {
    const {
      statusCode,
      headers,
      body: answer,
    } = await request(`${base}${path}`, {
      method,
      dispatcher,
      signal: AbortSignal.timeout(answersWithinMs),
      headers: { authorization: `Bearer ${apiToken}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await bodyText(answer, maxAnswer);
    return { status: statusCode, retryAfter: String(headers['retry-after'] ?? ''), envelope: envelopeOf(text) };
  };

  const ask = (login: ProviderLogin, asking: Asking): Effect.Effect<ProviderAnswer<Envelope>> =>
    Effect.gen(function* () {
      const answered = yield* Effect.promise(() => send(login, asking).catch((error: unknown) => whyOf(error)));
      if (typeof answered === 'string') return { is: 'silent', why: answered };
      return answerOf(answered, yield* Clock.currentTimeMillis);
    });

  const one = <A>(login: ProviderLogin, asking: Asking, read: (result: unknown) => A) =>
    Effect.map(ask(login, asking), (answer): ProviderAnswer<A> =>
      answer.is === 'found' ? { is: 'found', value: read(answer.value.result) } : answer,
    );

  /** Reads every page of a list. */
  const all = Effect.fnUntraced(function* <A>(
    login: ProviderLogin,
    path: string,
    perPage: number,
    read: (result: unknown) => A,
  ): Effect.fn.Return<ProviderAnswer<readonly A[]>> {
    const found: A[] = [];
    for (let page = 1; ; page++) {
      const joint = path.includes('?') ? '&' : '?';
      const answer = yield* ask(login, { method: 'GET', path: `${path}${joint}per_page=${perPage}&page=${page}` });
      if (answer.is !== 'found') return answer;
      const items = listIn(answer.value.result);
      found.push(...items.map(read));
      const pages = answer.value.result_info?.total_pages ?? (items.length < perPage ? page : page + 1);
      if (page >= pages || items.length === 0) return { is: 'found', value: found };
    }
  });

  const inZone = (zone: string, rest = '') => `/zones/${encodeURIComponent(zone)}/dns_records${rest}`;
  const tunnelsOf = ({ accountId }: ProviderLogin, rest = '') =>
    `/accounts/${encodeURIComponent(accountId)}/cfd_tunnel${rest}`;
  const recordPath = (zone: string, id: string) => inZone(zone, `/${encodeURIComponent(id)}`);

  return {
    zones: (login) => all(login, '/zones', zonesPerPage, zoneIn),
    records: (login, zone) => all(login, inZone(zone), recordsPerPage, recordIn),
    createRecord: (login, zone, record) =>
      one(login, { method: 'POST', path: inZone(zone), body: { ...record, ttl: 1 } }, idIn),
    changeRecord: (login, zone, { id, ...record }) =>
      one(login, { method: 'PATCH', path: recordPath(zone, id), body: { ...record, ttl: 1 } }, idIn),
    removeRecord: (login, zone, id) => one(login, { method: 'DELETE', path: recordPath(zone, id) }, idIn),
    tunnels: (login, name) =>
      all(login, tunnelsOf(login, `?is_deleted=false&name=${encodeURIComponent(name)}`), zonesPerPage, (result) => ({
        id: idIn(result),
        connected: listIn((result as { readonly connections?: unknown }).connections).length > 0,
      })),
    createTunnel: (login, name) =>
      one(login, { method: 'POST', path: tunnelsOf(login), body: { name, config_src: 'cloudflare' } }, idIn),
    tunnelToken: (login, tunnel) =>
      one(login, { method: 'GET', path: tunnelsOf(login, `/${encodeURIComponent(tunnel)}/token`) }, String),
    publishRoutes: (login, tunnel, routes) =>
      one(
        login,
        {
          method: 'PUT',
          path: tunnelsOf(login, `/${encodeURIComponent(tunnel)}/configurations`),
          body: { config: { ingress: routes } },
        },
        () => tunnel,
      ),
  };
}

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');
const fieldsIn = (value: unknown) => (value ?? {}) as Readonly<Record<string, unknown>>;
const idIn = (result: unknown): string => textIn(fieldsIn(result)['id']);
const zoneIn = (result: unknown): Zone => ({ id: idIn(result), name: textIn(fieldsIn(result)['name']) });
function recordIn(result: unknown): DnsRecord {
  const { type, name, content, proxied, comment } = fieldsIn(result);
  return {
    id: idIn(result),
    type: textIn(type),
    name: textIn(name),
    content: textIn(content),
    proxied: proxied === true,
    comment: textIn(comment),
  };
}

function whyOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `no answer within ${answersWithinMs / 1_000} s`;
  return (error as NodeJS.ErrnoException).code ?? error.message;
}
