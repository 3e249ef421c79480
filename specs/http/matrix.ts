import { request } from 'node:http';
import { type Caller, type CallerClass, callerClasses } from '../../rules/access/caller.ts';
import { grantOf, type RouteId, routes } from '../../rules/access/routes.ts';
import type { Served } from './served.ts';

/** The callers of every route: each class, and a project token whose environment is empty. */
export const tried = [...callerClasses, 'project token elsewhere'] as const;
export type Tried = (typeof tried)[number];

const expiresAt = null;
const tokenOf = (
  role: 'admin' | 'observer' | 'viewer',
  scope: null | { project: string; environment: string } = null,
) => ({ with: 'token', id: 'x', username: 'token:x', role, scope, expiresAt }) satisfies Caller;
const sessionOf = (role: 'admin' | 'viewer') =>
  ({ with: 'session', username: role, role, expiresAt: 0 }) satisfies Caller;

/** A caller of each class, for the grants of the table. */
const callers: Readonly<Record<CallerClass, Caller | null>> = {
  anonymous: null,
  'viewer session': sessionOf('viewer'),
  'admin session': sessionOf('admin'),
  'viewer token': tokenOf('viewer'),
  'observer token': tokenOf('observer'),
  'admin token': tokenOf('admin'),
  'project token': tokenOf('admin', { project: 'demo', environment: 'production' }),
};

const classTried = (who: Tried): CallerClass => (who === 'project token elsewhere' ? 'project token' : who);

/** These are about the token itself, or about nothing in an environment. */
const ofNoEnvironment: readonly RouteId[] = ['GET /me', 'GET /version', 'GET /openapi.json'];

/** Routes about a machine, and whether what they need depends on which. */
export const isOfMachine = (route: RouteId): boolean => route.includes('{machine}');

/** What the authorization table says of a route and a caller, as one cell; of the machine that it is asked about. */
export function cellOf(route: RouteId, who: Tried, machine?: string): string {
  const grant = grantOf(route, callers[classTried(who)], machine);
  if (grant.is === 'refused') return String(grant.status);
  if (!grant.own) return grant.view;
  return who === 'project token elsewhere' && !ofNoEnvironment.includes(route) ? 'nothing' : 'own';
}

/** The whole table as a page. */
export function matrixPage(): string {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    '# Who may do what',
    '',
    'Every route of the API, under `/api` and `/api/v1`, and what it gives each caller: `whole`, `observer` or `viewer` is',
    'the copy that is read, `own` is only what belongs to the environment of the token, `nothing` is 404 or an empty list,',
    'a number is a refusal. Of the machines of access (sign-ins, sessions, tokens, lockouts) only admins are told: their',
    'rows stand below those of the other machines. The table is `rules/access`; `specs/http/matrix.spec.ts` asks every route as every caller and',
    'holds this page to it.',
    '',
    row(['route', ...tried]),
    row(['---', ...tried.map(() => '---')]),
    ...(Object.keys(routes) as RouteId[]).flatMap((route) => [
      row([`\`${route}\``, ...tried.map((who) => cellOf(route, who))]),
      ...(isOfMachine(route)
        ? [row([`\`${route}\` of access`, ...tried.map((who) => cellOf(route, who, 'token'))])]
        : []),
    ]),
    '',
  ].join('\n');
}

export interface StatedAccess {
  readonly status: number;
  readonly text: string;
}

/** The status and the beginning of a response; a stream is closed after its first part. */
export const begun = (
  url: string,
  {
    method,
    headers,
    body,
  }: { readonly method: string; readonly headers: Readonly<Record<string, string>>; readonly body?: string },
): Promise<StatedAccess> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent: false }, (response) => {
      const status = response.statusCode ?? 0;
      if (String(response.headers['content-type']).startsWith('text/event-stream')) {
        resolve({ status, text: '' });
        response.destroy();
        return;
      }
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => (text += part));
      response.on('end', () => resolve({ status, text }));
    });
    sent.on('error', reject);
    sent.end(body);
  });

/** The credentials of each caller. */
export async function credentials(served: Served): Promise<Readonly<Record<Tried, Readonly<Record<string, string>>>>> {
  const bearer = async (fields: object) => ({ authorization: `Bearer ${(await served.makeToken(fields)).token}` });
  const cookie = (username: 'admin' | 'viewer', role: 'admin' | 'viewer') => ({
    cookie: served.cookieOf({ username, role }),
    origin: served.url,
  });
  const project = (environment: string) => bearer({ name: environment, role: undefined, project: 'demo', environment });
  return {
    anonymous: {},
    'viewer session': cookie('viewer', 'viewer'),
    'admin session': cookie('admin', 'admin'),
    'viewer token': await bearer({ role: 'viewer' }),
    'observer token': await bearer({ role: 'observer' }),
    'admin token': await bearer({ role: 'admin' }),
    'project token': await project('production'),
    'project token elsewhere': await project('staging'),
  };
}
