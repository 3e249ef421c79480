import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Context, Effect, type Result } from 'effect';
import type { Table } from '../machines/table.ts';
import type { Operator } from '../runtime/operator.ts';
import type { Cluster } from '../runtime/services/cluster.ts';
import type { Journal } from '../runtime/services/journal.ts';
import type { Level, LogFields } from '../runtime/services/log.ts';
import type { ObjectStore } from '../runtime/services/objectStore.ts';
import type { Accounts } from './auth/accounts.ts';
import type { Client } from './auth/address.ts';
import { clientOf } from './client.ts';
import type { PatienceMs } from './timeLimits.ts';

/** The doors to the outside that a route may need beside the operator. */
export type Doors = Cluster | ObjectStore | Journal;

export type Log = (level: Level, message: string, fields?: LogFields) => void;

/** The compiled table of each machine. */
export type Tables = Readonly<Record<string, Pick<Table, 'rows' | 'absence' | 'rests' | 'asked'>>>;

export interface HttpSettings {
  readonly host: string;
  readonly port: number;
  /** The host that forms may be sent to beside our own; a full address where it is not served over https. */
  readonly publicGitHost: string;
  /** The address that clone addresses of the Git host begin with. */
  readonly gitUrl: string;
  /** Signs what the Git host sends; null while there is none, and then nothing it sends is taken. */
  readonly webhookSecret: () => string | null;
  /** Ranges of the peers whose word on whom they forward for counts; private ones where nobody says. */
  readonly trustedProxies?: readonly string[] | undefined;
  readonly machines: Tables;
  /** Where the bundled dashboard lies. */
  readonly dashboardDir: string;
  /** Another than is usual for the specs' sake. */
  readonly patienceMs?: PatienceMs;
}

/** One request that was answered, as far as it may be told. */
export interface Answered {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
}

/** What the HTTP floor is built from. */
export interface HttpGiven {
  readonly operator: Operator;
  readonly services: Context.Context<Doors>;
  readonly settings: HttpSettings;
  readonly log: Log;
  readonly accounts: Accounts;
  /** ms since the epoch. */
  readonly now?: () => number;
  readonly random?: (bytes: number) => Buffer;
  readonly onAnswered?: (answered: Answered) => void;
}

export type Run = <A, E>(effect: Effect.Effect<A, E, Doors>) => Promise<Result.Result<A, E>>;

/** What every route is handed. */
export interface Serving {
  readonly operator: Operator;
  readonly settings: HttpSettings;
  readonly log: Log;
  readonly now: () => number;
  /** So many bytes that nobody can guess. */
  readonly random: (bytes: number) => Buffer;
  /** Runs an effect; an expected failure is a value. */
  readonly run: Run;
  /** Who sent a request. */
  readonly clientOf: (request: IncomingMessage) => Client;
}

export const servingOf = ({ operator, services, settings, log, ...given }: Omit<HttpGiven, 'accounts'>): Serving => ({
  operator,
  settings,
  log,
  now: given.now ?? Date.now,
  random: given.random ?? randomBytes,
  clientOf: clientOf(settings.trustedProxies),
  run: (effect) => Effect.runPromiseWith(services)(Effect.result(effect)),
});
