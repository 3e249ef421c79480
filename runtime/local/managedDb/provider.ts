import { randomBytes } from 'node:crypto';
import { branchShape, databaseShape, mainBranch, pageShape, passwordShape, roleShape, sizesFor } from './shapes.ts';
import type { StoredProvider, KeptLogin, ProviderState } from './state.ts';

/** A request to the provider's API, below `/v1/organizations`. */
export interface ProviderRequest {
  readonly method: string;
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  readonly token: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface ProviderResponse {
  readonly status: number;
  readonly body?: object;
}

const startsMs = 2_000;

const fields = {
  database: ['name', 'region', 'cluster_size', 'replicas', 'kind', 'major_version'],
  passwords: ['name', 'role', 'replica', 'ttl', 'cidrs', 'direct_vtgate'],
  roles: ['name', 'ttl', 'inherited_roles'],
} as const;

const refused = (status: number, message: string): ProviderResponse => ({
  status,
  body: { code: String(status), message },
});
const notFound = refused(404, 'Not Found');
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Serves the part of the provider's published API that Core uses; refuses other requests. */
export function provider(state: ProviderState, now: () => number) {
  const isReady = ({ createdAt }: StoredProvider) => now() >= createdAt + startsMs;

  function create(organization: string, body: ProviderRequest['body']): ProviderResponse {
    const [name, kind, size] = [text(body['name']), text(body['kind']) || 'mysql', text(body['cluster_size'])];
    if (!/^[a-z0-9][a-z0-9_-]*$/.test(name) || (kind !== 'mysql' && kind !== 'postgresql'))
      return refused(422, 'name or kind is invalid');
    if (!sizesFor(kind).some((one) => one.name === size)) return refused(422, 'cluster_size is unknown');
    if (state.find(organization, name)) return refused(422, 'name has already been taken');
    const made: StoredProvider = { name, kind, size, createdAt: now(), logins: [] };
    state.put(organization, made);
    return { status: 201, body: databaseShape(made, isReady(made)) };
  }

  function issue(organization: string, database: StoredProvider, body: ProviderRequest['body']): ProviderResponse {
    const inherits = body['inherited_roles'];
    const login: KeptLogin = {
      id: randomBytes(6).toString('hex'),
      name: text(body['name']),
      username: randomBytes(8).toString('hex'),
      role: text(body['role']) || 'admin',
      inherits: Array.isArray(inherits) ? inherits.map(String) : [],
      createdAt: now(),
    };
    state.put(organization, { ...database, logins: [...database.logins, login] });
    const password = randomBytes(24).toString('base64url');
    return { status: 201, body: shapeOf(database)(database, login, password) };
  }

  function logins(asked: ProviderRequest, organization: string, database: StoredProvider): ProviderResponse {
    const id = asked.path[6];
    if (id === undefined && asked.method === 'POST')
      return isReady(database) ? issue(organization, database, asked.body) : refused(422, 'the branch is not ready');
    if (id === undefined && asked.method === 'GET') {
      const shown = database.logins.map((login) => shapeOf(database)(database, login, ''));
      const [page, perPage] = ['page', 'per_page'].map((name) => Number(asked.query.get(name)));
      return { status: 200, body: pageShape(shown, page || 1, perPage || 25) };
    }
    const rest = database.logins.filter((login) => login.id !== id);
    if (asked.method !== 'DELETE' || rest.length === database.logins.length) return notFound;
    state.put(organization, { ...database, logins: rest });
    return { status: 204 };
  }

  function inDatabase(asked: ProviderRequest, organization: string, database: StoredProvider): ProviderResponse {
    const [, , , branches, branch, kind] = asked.path;
    if (branches === undefined)
      return asked.method === 'GET' ? { status: 200, body: databaseShape(database, isReady(database)) } : notFound;
    if (branches !== 'branches' || branch !== mainBranch) return notFound;
    if (kind === undefined)
      return asked.method === 'GET' ? { status: 200, body: branchShape(database, isReady(database)) } : notFound;
    return kind === loginsOf(database) ? logins(asked, organization, database) : notFound;
  }

  return (asked: ProviderRequest): ProviderResponse => {
    const [organization = '', what, name] = asked.path;
    if (!/^[^:]+:[^:]+$/.test(asked.token)) return refused(401, 'Unauthorized');
    const unknown = unknownIn(asked);
    if (unknown !== undefined) return refused(400, `${unknown} is unknown`);
    if (what === 'cluster-size-skus') return { status: 200, body: sizesFor(asked.query.get('engine') ?? 'mysql') };
    if (what !== 'databases') return notFound;
    if (name === undefined) return asked.method === 'POST' ? create(organization, asked.body) : notFound;
    const database = state.find(organization, name);
    return database ? inDatabase(asked, organization, database) : notFound;
  };
}

const loginsOf = ({ kind }: StoredProvider) => (kind === 'mysql' ? 'passwords' : 'roles');
const shapeOf = ({ kind }: StoredProvider) => (kind === 'mysql' ? passwordShape : roleShape);

/** A field that the API does not have. */
function unknownIn({ method, path, body }: ProviderRequest): string | undefined {
  if (method === 'DELETE') return Object.keys(body).find((field) => field !== 'successor');
  const known: readonly string[] =
    path[5] === 'passwords' ? fields.passwords : path[5] === 'roles' ? fields.roles : fields.database;
  return Object.keys(body).find((field) => !known.includes(field));
}
