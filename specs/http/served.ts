import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request as send, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Effect } from 'effect';
import type { NewApiToken } from '../../http/api.ts';
import type { CoreApp } from '../../crds/coreApp.ts';
import { systemNamespace } from '../../crds/names.ts';
import { buildLabels } from '../../rules/build/build.ts';
import { cookieName, sealTicket, type Ticket } from '../../http/auth/cookie.ts';
import { authSecret, encode, sessionKeyName, type User, userData } from '../../http/auth/directory.ts';
import { type Accounts, makeAccounts } from '../../http/auth/accounts.ts';
import { type Hasher, makeHasher } from '../../http/auth/hasher.ts';
import { hasProjectTokens } from '../../http/auth/tokens/projects.ts';
import { startHttp } from '../../http/server.ts';
import type { AnsweredRequest, HttpSettings } from '../../http/context.ts';
import { tables } from '../../machines/tables.ts';
import { addressCheckWith } from '../../rules/webhookDelivery/addressCheck.ts';
import { everything } from '../../runtime/controllers/all.ts';
import { cloudConnectionController } from '../../runtime/controllers/cloudConnection/controller.ts';
import { consoleSessionController } from '../../runtime/controllers/consoleSession/controller.ts';
import { backupArchiveController } from '../../runtime/controllers/backupArchive/controller.ts';
import { bucketListings } from '../../runtime/controllers/backupArchive/ask/bucketListings.ts';
import { backupStorages } from '../../runtime/controllers/cloudAccess/storage.ts';
import { databaseController } from '../../runtime/controllers/database/controller.ts';
import { objectStoreController } from '../../runtime/controllers/objectStore/controller.ts';
import { logicalDatabaseController } from '../../runtime/controllers/logicalDatabase/controller.ts';
import { haReadinessController } from '../../runtime/controllers/haReadiness/controller.ts';
import { projectController } from '../../runtime/controllers/project/controller.ts';
import { apps, builds, everyKind } from '../../runtime/services/cluster/kinds.ts';
import { firstLease, leases } from '../../runtime/lead/leaseRecord.ts';
import type { Operator, OperatorOptions } from '../../runtime/operator.ts';
import { secrets } from '../../runtime/services/cluster/resources.ts';
import { startOperator } from '../../runtime/start.ts';
import { type Holders, makeHolders } from '../../runtime/controllers/consoleSession/observe.ts';
import { type StartedTerminals, startTerminals } from '../../runtime/terminals/start.ts';
import { assertDescribed } from './described.ts';
import {
  buildControllers,
  userBuild,
  makeTestEnvironment,
  until,
  type TestEnvironment,
} from '../support/environment.ts';
import type { Log } from '../../http/log.ts';

export const sessionKey = Buffer.alloc(32, 7);
export const password = 'correct horse';
/** bcrypt of `correct horse`, at the lowest cost. */
export const passwordHash = '$2b$04$ZJXU0R0Lvxf1SJArSAdNzuKKPlGPcFrRvztisgj4ld3e5lZk14j76';
/** Hashes at the lowest cost: a hundredth of a hash that lasts. */
export const quickHasher = (): Hasher => makeHasher(4);

const builder = { builderImage: 'builder', gitImage: 'git', gitUrl: 'https://git.example' };

export interface ServedRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly json: () => unknown;
}

/** Sends exactly the given headers: `fetch` would not allow a Host, Origin or Cookie. */
export const exchange = (url: string, { method = 'GET', headers = {}, body }: ServedRequest = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sent = send(url, { method, headers, agent: false }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(parts).toString();
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text,
          json: () => JSON.parse(text) as unknown,
        });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });

/** The same, with the response validated against its description. */
export async function ask(url: string, asked: ServedRequest = {}): Promise<Answer> {
  const answer = await exchange(url, asked);
  const { status, headers, text } = answer;
  assertDescribed({ method: asked.method ?? 'GET', url, status, type: headers['content-type'] ?? '', text });
  return answer;
}

export const app = (name: string, spec: Partial<CoreApp['spec']> = {}, status: CoreApp['status'] = {}): CoreApp => ({
  metadata: { name, namespace: systemNamespace },
  spec: {
    project: 'demo',
    environment: 'production',
    source: { git: { repository: 'demo/shop', branch: 'main', waitForCI: false } },
    deploy: { enabled: true },
    ...spec,
  },
  status,
});

const usual: ServedContext['operates'] = (holders) => ({
  controllers: [
    ...buildControllers(),
    databaseController(),
    logicalDatabaseController(),
    backupArchiveController(bucketListings(backupStorages())),
    haReadinessController(),
    cloudConnectionController(),
    objectStoreController(),
    projectController({ hasTokens: hasProjectTokens }),
    consoleSessionController(holders),
  ],
  alsoSeen: everyKind,
});

/** The HTTP server over an in-memory world, on a free port, with a clock that only a test advances. */
export const serve = (
  settings: Partial<HttpSettings> = {},
  users: Readonly<Record<string, User>> = {},
  change: (services: TestEnvironment['services']) => TestEnvironment['services'] = (services) => services,
  hasher = quickHasher(),
) => serveWorld({ operates: usual, settings, users, change, hasher });

/** The same over a cluster in which something stands before the operator begins. */
export const servePrepared = (prepare: (world: TestEnvironment) => void) =>
  serveWorld({
    operates: usual,
    settings: {},
    users: {},
    change: (services) => services,
    hasher: quickHasher(),
    prepare,
  });

/** The same with the controllers of every kind. */
export const serveEverything = (users: Readonly<Record<string, User>> = {}) =>
  serveWorld({
    operates: (holders) => everything({ builder, hasTokens: hasProjectTokens, holders }),
    settings: {},
    users,
    change: (services) => services,
    hasher: quickHasher(),
  });

/** How long a terminal's holder counts as alive: long, for what stands still here. */
const leaseSeconds = 3;
/** The files of a dashboard, the same for every server of this process; they go with it. */
const dashboardDir = mkdtempSync(join(tmpdir(), 'core-http-'));
process.once('exit', () => rmSync(dashboardDir, { recursive: true, force: true }));
mkdirSync(join(dashboardDir, 'assets'));
writeFileSync(join(dashboardDir, 'index.html'), '<!doctype html><title>Core</title>');
writeFileSync(join(dashboardDir, 'assets', 'dashboard.js'), 'export {};');
writeFileSync(join(dashboardDir, 'assets', 'font-0a1b2c3d.woff2'), 'font');

let replicas = 0;
const newHolders = () => makeHolders({ lease: `core-terminals-${++replicas}`, leaseSeconds });

interface ServedContext {
  readonly operates: (holders: Holders) => Pick<OperatorOptions, 'controllers' | 'alsoSeen'>;
  readonly settings: Partial<HttpSettings>;
  readonly users: Readonly<Record<string, User>>;
  readonly change: (services: TestEnvironment['services']) => TestEnvironment['services'];
  readonly hasher: Hasher;
  readonly prepare?: (world: TestEnvironment) => void;
}

async function serveWorld({ operates, settings, users, change, hasher, prepare = () => {} }: ServedContext) {
  const clock = { ahead: 0 };
  const asked = { toEnd: false };
  const startedAt = Date.now();
  const now = () => startedAt + clock.ahead;
  const lines: { readonly message: string; readonly fields: object | undefined }[] = [];
  const log: Log = (_, message, fields) => void lines.push({ message, fields });
  const accounts = makeAccounts({ now, log, hasher });
  const holders = newHolders();
  const { controllers, alsoSeen } = operates(holders);
  const world = makeTestEnvironment({ controllers: [...controllers, ...accounts.controllers], alsoSeen });
  prepare(world);
  const admin: User = { role: 'admin', password: passwordHash, epoch: 0 };
  const all = { admin, ...users };
  world.cluster.put(secrets, {
    metadata: { name: authSecret, namespace: systemNamespace },
    data: Object.assign(
      { [sessionKeyName]: sessionKey.toString('base64') },
      ...Object.entries(all).map(([name, user]) => userData(name, user)),
    ) as Record<string, string>,
  });
  const { operator, stop, crash } = await world.start();
  await Effect.runPromise(operator.ready);
  const answered: AnsweredRequest[] = [];
  const terminalsOver = (of: Operator, heldBy: Holders) =>
    startTerminals(change(world.services), { operator: of, holders: heldBy, log });
  const httpOver = (of: Operator, accountsOf: Accounts, { terminals }: StartedTerminals) =>
    startHttp({
      operator: of,
      accounts: accountsOf,
      terminals,
      stops: () => asked.toEnd,
      services: change(world.services),
      settings: {
        host: '127.0.0.1',
        port: 0,
        publicGitHost: 'github.com',
        gitUrl: 'https://git.example',
        webhookSecret: () => 'hook-secret',
        webhookJudge: addressCheckWith(false),
        prometheusUrl: 'http://127.0.0.1:1',
        machines: tables,
        dashboardDir,
        ...settings,
      },
      log,
      now,
      onAnswered: (one) => void answered.push(one),
    });
  const terminals = await terminalsOver(operator, holders);
  const http = await httpOver(operator, accounts, terminals);
  const cookieOf = (ticket: Partial<Ticket> = {}) =>
    `${cookieName}=${sealTicket({ username: 'admin', role: 'admin', expiresAt: now() + 60_000, epoch: 0, ...ticket }, sessionKey)}`;
  const origin = http.url;
  const json = { 'content-type': 'application/json' };
  return {
    world,
    operator,
    url: http.url,
    dashboardDir,
    lines,
    answered,
    clock,
    asked,
    now,
    cookieOf,
    /** Requests like a page of ours, signed in. */
    ask: (path: string, { headers = {}, ...asked }: ServedRequest = {}) =>
      ask(`${http.url}${path}`, { ...asked, headers: { cookie: cookieOf(), origin, ...headers } }),
    /** Requests without credentials. */
    askPlain: (path: string, asked: ServedRequest = {}) => ask(`${http.url}${path}`, asked),
    /** Posts JSON like a page of ours, signed in. */
    post: (path: string, body: object, headers: Readonly<Record<string, string>> = {}) =>
      ask(`${http.url}${path}`, {
        method: 'POST',
        headers: { cookie: cookieOf(), origin, ...json, ...headers },
        body: JSON.stringify(body),
      }),
    /** Makes an API token as an admin. */
    makeToken: async (fields: object = {}): Promise<NewApiToken> => {
      const body = JSON.stringify({ name: 'a script', role: 'admin', ...fields });
      const headers = { cookie: cookieOf(), origin, ...json };
      const made = await ask(`${http.url}/api/v1/tokens`, { method: 'POST', headers, body });
      if (made.status !== 201) throw new Error(made.text);
      return made.json() as NewApiToken;
    },
    /** Requests with an API token. */
    askAs: (token: string, path: string, { headers = {}, ...asked }: ServedRequest = {}) =>
      ask(`${http.url}${path}`, { ...asked, headers: { authorization: `Bearer ${token}`, ...headers } }),
    /**
     * Another replica over the same cluster, a standby as long as a leader is said to hold the lease, reachable at that
     * address.
     */
    standBy: async (address?: string) => {
      const reach = address === undefined ? {} : { address };
      const isHeldBy = (identity: string) =>
        void world.cluster.put(leases, firstLease({ identity, seconds: 3_600, now: now(), ...reach }));
      isHeldBy('the leader');
      const itsAccounts = makeAccounts({ now, log, hasher: quickHasher() });
      const itsHolders = newHolders();
      const all = everything({ builder, holders: itsHolders });
      const other = await startOperator(
        world.services,
        { ...all, controllers: [...all.controllers, ...itsAccounts.controllers], workers: 2 },
        { lease: { identity: 'the other', seconds: 3 } },
      );
      await Effect.runPromise(other.operator.ready);
      const itsTerminals = await terminalsOver(other.operator, itsHolders);
      const itsHttp = await httpOver(other.operator, itsAccounts, itsTerminals);
      return {
        operator: other.operator,
        /** Writes the holder of the lease; nobody, where the name is empty. */
        isHeldBy,
        url: itsHttp.url,
        ask: (path: string, { headers = {}, ...asked }: ServedRequest = {}) =>
          ask(`${itsHttp.url}${path}`, { ...asked, headers: { cookie: cookieOf(), origin: itsHttp.url, ...headers } }),
        terminals: itsTerminals,
        stop: async () => {
          await itsTerminals.stop();
          await itsHttp.stop();
          await other.crash();
          await itsAccounts.hasher.stop();
        },
      };
    },
    secret: () => world.cluster.all(secrets).find(({ metadata }) => metadata.name === authSecret),
    /** Writes users like a person with kubectl. */
    setUser: async (name: string, user: object) => {
      const found = world.cluster.all(secrets).find(({ metadata }) => metadata.name === authSecret);
      const written = world.cluster.put(secrets, {
        metadata: { name: authSecret, namespace: systemNamespace },
        data: { ...found?.data, [`user.${name}`]: encode(JSON.stringify(user)) },
      });
      const version = Number(written.metadata.resourceVersion);
      await until(
        () => Number(operator.caches.get(secrets, authSecret)?.metadata.resourceVersion) >= version,
        'the users are cached',
      );
    },
    /** A service with its current build, both in the caches. */
    addApp: async (
      name: string,
      build: Parameters<typeof userBuild>[1] = {},
      status?: Parameters<typeof userBuild>[2],
    ) => {
      const buildName = `${name}-build-1`;
      const made = userBuild(buildName, { app: name, ...build }, status);
      world.cluster.put(builds, { ...made, metadata: { ...made.metadata, labels: buildLabels(made.spec) } });
      world.cluster.put(apps, app(name, {}, { currentBuild: buildName }));
      await until(() => operator.caches.get(apps, name) && operator.caches.get(builds, buildName), 'the app is cached');
      return buildName;
    },
    /** Its operator crashes; its HTTP server goes on. */
    crash,
    terminals,
    stop: async () => {
      await terminals.stop();
      await http.stop();
      await stop();
      await accounts.hasher.stop();
    },
  };
}

export type Served = Awaited<ReturnType<typeof serve>>;
