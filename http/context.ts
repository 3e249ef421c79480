import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Context, Effect, type Result } from 'effect';
import type { Table } from '../machines/table.ts';
import type { AddressCheck } from '../rules/webhookDelivery/addressCheck.ts';
import type { Operator } from '../runtime/operator.ts';
import { secrets } from '../runtime/services/cluster/resources.ts';
import type { Cloud } from '../runtime/services/cloud.ts';
import type { Cluster } from '../runtime/services/cluster/cluster.ts';
import type { Exec } from '../runtime/services/exec.ts';
import type { Functions } from '../runtime/services/functions.ts';
import type { GitHost } from '../runtime/services/gitHost.ts';
import type { Journal } from '../runtime/services/journal.ts';
import type { ManagedDb } from '../runtime/services/managedDb.ts';
import type { MetricsStore } from '../runtime/services/metricsStore.ts';
import type { Terminals } from '../runtime/terminals/terminals.ts';
import type { ObjectStore } from '../runtime/services/objectStore.ts';
import type { Accounts } from './auth/accounts.ts';
import type { Client } from './auth/address.ts';
import { authSecret, directoryOf } from './auth/directory.ts';
import { clientOf } from './request/client.ts';
import { type Continues, continuesWith } from './lists/continue.ts';
import type { ClientTimeoutsMs } from './request/timeouts.ts';
import type { Log } from './log.ts';

/** The services that a route may need besides the operator. */
type RouteServices = Cloud | Cluster | Exec | Functions | GitHost | ManagedDb | MetricsStore | ObjectStore | Journal;

/** The compiled table of each machine. */
export type Tables = Readonly<Record<string, Pick<Table, 'rows' | 'absence' | 'rests' | 'asked'>>>;

export interface HttpSettings {
  readonly host: string;
  readonly port: number;
  /** The host that forms may be sent to besides our own; a full address where it is not served over https. */
  readonly publicGitHost: string;
  /** The base of the Git host's clone addresses. */
  readonly gitUrl: string;
  /** The key of the signatures of Git host events; null while there is none, and then every event is refused. */
  readonly webhookSecret: () => string | null;
  /** Why a webhook may not be called at an address; null where it may. */
  readonly webhookJudge: AddressCheck;
  /** Address ranges of trusted proxies, whose forwarded addresses count; by default the private ones. */
  readonly trustedProxies?: readonly string[] | undefined;
  readonly machines: Tables;
  /** Where usage is read, unless the platform config names another address. */
  readonly prometheusUrl: string;
  /** The folder of the bundled dashboard. */
  readonly dashboardDir: string;
  /** Time limits other than the default, for specs. */
  readonly timeoutsMs?: ClientTimeoutsMs;
  /** The tag of the program's release, where a spec has it be of one. */
  readonly release?: string;
  /** How often a terminal's client is pinged, for specs. */
  readonly pingMs?: number;
}

/** A finished request, with the fields that may be logged. */
export interface AnsweredRequest {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
}

/** The inputs of the HTTP server. */
export interface HttpOptions {
  readonly operator: Operator;
  readonly services: Context.Context<RouteServices>;
  readonly settings: HttpSettings;
  readonly log: Log;
  readonly accounts: Accounts;
  readonly terminals: Terminals;
  /** Whether the process is stopping: responses ask clients to open another connection. */
  readonly stops?: () => boolean;
  /** ms since the epoch. */
  readonly now?: () => number;
  readonly random?: (bytes: number) => Buffer;
  readonly onAnswered?: (answered: AnsweredRequest) => void;
}

export type Run = <A, E>(effect: Effect.Effect<A, E, RouteServices>) => Promise<Result.Result<A, E>>;

/** The context of every route. */
export interface ServerContext {
  readonly operator: Operator;
  readonly caches: Operator['caches'];
  readonly settings: HttpSettings;
  readonly log: Log;
  readonly now: () => number;
  /** Random bytes that nobody can guess. */
  readonly random: (bytes: number) => Buffer;
  /** Runs an effect; an expected failure is a value. */
  readonly run: Run;
  /** Identifies the sender of a request. */
  readonly clientOf: (request: IncomingMessage) => Client;
  /** Where pages of lists lead on. */
  readonly continues: Continues;
}

export const serverContext = ({
  operator,
  services,
  settings,
  log,
  ...given
}: Omit<HttpOptions, 'accounts' | 'terminals'>): ServerContext => {
  const { now = Date.now, random = randomBytes } = given;
  let ofThisProcess: Buffer | undefined;
  const { caches } = operator;
  return {
    operator,
    caches,
    settings,
    log,
    now,
    random,
    clientOf: clientOf(settings.trustedProxies),
    run: (effect) => Effect.runPromiseWith(services)(Effect.result(effect)),
    continues: continuesWith(
      () => directoryOf(caches.get(secrets, authSecret)).sessionKey ?? (ofThisProcess ??= random(32)),
      now,
    ),
  };
};
