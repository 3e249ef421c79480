import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A store that keeps users, and policies for them. */
interface Store {
  /** The administrator's program; fails with what it says. */
  readonly admin: (...args: readonly string[]) => string;
  readonly endpoint: string;
}

/** The request that put the policy of each user. */
type Policies = Map<string, Signed>;

interface Signed {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

/**
 * What of IAM radosgw lacks: users and their keys, by its administrator's program. The policies of users, which it has,
 * are passed on as they were signed.
 */
export async function issuingProxy(store: Store) {
  const policies: Policies = new Map();
  const server = createServer((asked, response) => {
    void answer(answered(store, policies, asked), response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

async function answer(told: Promise<Answer>, response: ServerResponse): Promise<void> {
  const { status, body } = await told;
  response.writeHead(status, { 'content-type': 'text/xml' }).end(body);
}

const refusal = (status: number, code: string): Answer => ({
  status,
  body: `<ErrorResponse><Error><Code>${code}</Code></Error></ErrorResponse>`,
});

function refusalOf(error: unknown): Answer {
  const said = String(error);
  if (/no user info saved|could not fetch user info|user does not exist|user info was not populated/i.test(said))
    return refusal(404, 'NoSuchEntity');
  return /exists/.test(said) ? refusal(409, 'EntityAlreadyExists') : refusal(500, 'ServiceFailure');
}

async function textOf(stream: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

async function answered({ admin, endpoint }: Store, policies: Policies, asked: IncomingMessage): Promise<Answer> {
  const body = await textOf(asked);
  const form = new URLSearchParams(body);
  const action = form.get('Action') ?? '';
  try {
    const user = form.get('UserName') ?? '';
    const signed = { headers: asked.headers, body };
    if (action === 'PutUserPolicy') policies.set(user, signed);
    if (action.endsWith('UserPolicy')) return await passedOn(endpoint, signed);
    const told = does(admin, action, form);
    if (typeof told !== 'string') return told;
    // As it changes the keys of a user, the program forgets the policy.
    const policy = /^(Create|Delete)AccessKey$/.test(action) ? policies.get(user) : undefined;
    if (policy) await passedOn(endpoint, policy);
    const result = `<${action}Result>${told}</${action}Result>`;
    return { status: 200, body: `<${action}Response>${result}</${action}Response>` };
  } catch (error) {
    return refusalOf(error);
  }
}

/** The request as it was signed, its host included. */
async function passedOn(endpoint: string, { headers, body }: Signed): Promise<Answer> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request(endpoint, { method: 'POST', headers }, resolve).on('error', reject).end(body);
  });
  return { status: answer.statusCode ?? 500, body: await textOf(answer) };
}

interface Key {
  readonly access_key: string;
  readonly secret_key: string;
}

const keysIn = (told: string) => (JSON.parse(told) as { readonly keys: readonly Key[] }).keys;
const mostKeys = 2;

function does(admin: Store['admin'], action: string, form: URLSearchParams): string | Answer {
  const user = form.get('UserName') ?? '';
  const keys = () => keysIn(admin('user', 'info', '--uid', user));
  switch (action) {
    case 'CreateUser':
      // It gives a key to every new user.
      for (const key of keysIn(admin('user', 'create', '--uid', user, '--display-name', user)))
        admin('key', 'rm', '--uid', user, '--access-key', key.access_key);
      return '';
    case 'DeleteUser':
      admin('user', 'rm', '--uid', user);
      return '';
    case 'ListAccessKeys': {
      const members = keys().map((key) => `<member><AccessKeyId>${key.access_key}</AccessKeyId></member>`);
      return `<AccessKeyMetadata>${members.join('')}</AccessKeyMetadata>`;
    }
    case 'DeleteAccessKey': {
      const id = form.get('AccessKeyId') ?? '';
      if (!keys().some((key) => key.access_key === id)) return refusal(404, 'NoSuchEntity');
      admin('key', 'rm', '--uid', user, '--access-key', id);
      return '';
    }
    case 'CreateAccessKey': {
      const before = keys().map((key) => key.access_key);
      if (before.length >= mostKeys) return refusal(409, 'LimitExceeded');
      const told = admin('key', 'create', '--uid', user, '--key-type=s3', '--gen-access-key', '--gen-secret');
      const made = keysIn(told).find((key) => !before.includes(key.access_key));
      const [id, secret] = [made?.access_key ?? '', made?.secret_key ?? ''];
      return `<AccessKey><AccessKeyId>${id}</AccessKeyId><SecretAccessKey>${secret}</SecretAccessKey></AccessKey>`;
    }
    default:
      return refusal(400, 'InvalidAction');
  }
}
