import type { Asked, Row } from '../machines/table.ts';

/** What the REST API says, as JSON: shared by the server, the dashboard and later clients. Times are RFC 3339. */

export type { Asked, Row };

export interface ErrorBody {
  readonly error: string;
}

export interface Items<T> {
  readonly items: readonly T[];
}

/** Who is signed in (document 002, GET /me; decision 20). */
export interface Identity {
  readonly username: string;
  readonly role: 'admin' | 'observer' | 'viewer';
  readonly scope: 'workspace' | 'project';
  /** Of a project token only. */
  readonly project?: string;
  readonly environment?: string;
  readonly canMutate: boolean;
  readonly canReadSensitive: boolean;
  readonly authentication: 'session' | 'token';
  /** Absent for a token that never expires. */
  readonly expiresAt?: string;
}

export type Session = { readonly authenticated: false } | ({ readonly authenticated: true } & Identity);

/** GET /api/v1/users, by name: a user of the sign-in Secret, without password and epoch. Written with kubectl alone. */
export interface UserItem {
  readonly name: string;
  /** As it was written: `admin` or `viewer`, where the user can be used. */
  readonly role: string;
  /** Whether they can sign in. */
  readonly usable: boolean;
  /** Why not; empty where they can. */
  readonly problem: string;
}

/** GET /api/v1/tokens, by name: an API token, without what it is used with. */
export interface ApiToken {
  /** The public identifier. */
  readonly id: string;
  readonly name: string;
  readonly kind: 'workspace' | 'project';
  readonly role: 'admin' | 'observer' | 'viewer';
  /** Of a project token only. */
  readonly project?: string;
  readonly environment?: string;
  readonly createdAt: string;
  readonly createdBy: string;
  /** Absent for a token that never expires. */
  readonly expiresAt?: string;
  /** Absent until it is first used; at most every 10 minutes. */
  readonly lastUsedAt?: string;
  readonly expired: boolean;
}

/** POST /api/v1/tokens {name, role | project and environment, expiresAt}: the token is told this once. */
export interface NewApiToken extends ApiToken {
  readonly token: string;
}

/** POST /api/v1/auth/device {client_name} (RFC 8628). Seconds. */
export interface DeviceStart {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  readonly verification_uri_complete: string;
  readonly expires_in: number;
  readonly interval: number;
}

/**
 * POST /api/v1/auth/token {device_code}, once it is approved; until then, and where it never will be, 400 with
 * `authorization_pending`, `slow_down`, `access_denied` or `expired_token`.
 */
export interface DeviceToken {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
}

/** POST /api/v1/auth/device/approve {code, access, days} and /deny {code} */
export interface DeviceDecision {
  readonly user_code: string;
  readonly state: 'pending' | 'approved' | 'refused' | 'issued' | 'expired';
}

/** GET /api/v1/auth/device/{code}, by the user code: what an approver reviews and may choose from. */
export interface DeviceReview extends DeviceDecision {
  readonly client: string;
  readonly address: string;
  readonly issuedAt: string;
  readonly expiresAt: string;
  readonly accesses: readonly ('observer' | 'viewer' | 'admin')[];
  readonly lifetimes: readonly number[];
}

/** GET /api/v1/platform */
export interface Platform {
  /** Base of the addresses that repositories are pushed to: `<gitHost>/<owner>/<name>.git`. */
  readonly gitHost: string;
}

/** GET /api/v1/machines, /api/v1/machines/{machine} */
export interface Machine {
  readonly name: string;
  readonly kind: string;
  readonly initial: string;
  readonly states: readonly {
    readonly name: string;
    readonly shown: string;
    /** Whether nothing but a command or a change by hand leads out of it. */
    readonly resting: boolean;
    /** What leads on from a state in which nothing more happens by itself; null in one that goes on. */
    readonly restsUntil: string | null;
    readonly ensures: readonly string[];
  }[];
  readonly events: readonly string[];
  readonly rows: readonly Row[];
  /** The commands, and who asks them. */
  readonly asked: readonly Asked[];
  /** Live instances per state; a stored state the machine does not know is counted under its own text. */
  readonly counts: Readonly<Record<string, number>>;
  /** Instances that are being retried. */
  readonly retrying: number;
}

/** One instance of a machine in a list. `state` is the machine's, `shown` the word a person reads (FailedBeforeJob is Failed). */
export interface Instance {
  readonly name: string;
  readonly uid: string;
  readonly app: string;
  readonly project: string;
  readonly environment: string;
  readonly machine: string;
  readonly state: string;
  readonly shown: string;
  readonly since: string;
  readonly reason: string;
  readonly retrying: boolean;
  readonly paused: boolean;
  readonly commit: string;
  /** When it is looked at again by itself, if ever; null from a replica that stands by, for only the leader knows. */
  readonly nextLook?: string | null;
  /** Failed passes in a row, while the pass itself fails; null from a replica that stands by. */
  readonly failures: number | null;
}

/**
 * GET /api/v1/machines/{machine}/instances?state=&retrying=true&stuck=<seconds>&q=&app=&limit=, by name. `state` may be
 * several with commas between, in any case, by the machine's word or the one a person reads; what rests is never stuck.
 */
export type Instances = Items<Instance>;

/** One move of status.history. */
export interface Move {
  readonly seq: number;
  readonly machine: string;
  readonly from: string;
  readonly event: string;
  readonly to: string;
  readonly rule?: string;
  readonly by: string;
  readonly at: string;
  readonly text: string;
}

/** GET /api/v1/builds/{name}/transitions */
export interface Transitions extends Items<Move & { readonly row?: string; readonly outside: boolean }> {
  readonly name: string;
}

/** One instance with every move it keeps, of all its machines, oldest first: what an audit reads. */
export interface Trace extends Items<Move> {
  readonly name: string;
  readonly uid: string;
  readonly state: string;
  readonly nextLook?: string | null;
}

/** GET /api/v1/machines/{machine}/transitions, by name. */
export type Traces = Items<Trace>;

/** What one rule said of the facts. `not reached`: an earlier rule held or a fact is missing. */
export interface Tried {
  readonly rule: string;
  readonly row?: string;
  readonly event: string;
  readonly held: 'yes' | 'no' | 'not reached';
  readonly says: string;
}

/**
 * GET /api/v1/builds/{name}/explain: why it stands where it stands, and what happens next. `observedAt`, `nextLook` and
 * `failure` are null from a replica that stands by: it decides over what its caches show, and only the leader knows more.
 */
export interface Explanation {
  readonly name: string;
  readonly machine: string;
  readonly state: string;
  readonly shown: string;
  readonly since: string;
  readonly now: string;
  readonly paused: boolean;
  /** The whole in words. */
  readonly text: string;
  readonly decision:
    | {
        readonly is: 'moves';
        readonly event: string;
        readonly rule: string;
        readonly to: string;
        readonly row?: string;
      }
    | { readonly is: 'asks'; readonly fact: string }
    | { readonly is: 'unknown'; readonly fact: string; readonly why: string }
    | { readonly is: 'rests' };
  /** What leads on from a state in which nothing more happens by itself; null in one that goes on. */
  readonly restsUntil: string | null;
  readonly tried: readonly Tried[];
  /** The facts the decision read, as observed at `observedAt`; unasked ones are listed as such. */
  readonly facts: Readonly<
    Record<string, { readonly is: 'unasked' | 'unknown' | 'known'; readonly value?: unknown; readonly why?: string }>
  >;
  readonly observedAt?: string | null;
  readonly nextLook?: string | null;
  /** When the Git host is asked next whether the branch has moved; null where only the leader knows. */
  readonly branchLook?: string | null;
  /** Every arrow that leaves this state: what would have to happen. */
  readonly next: readonly {
    readonly row: string;
    readonly event: string;
    readonly to: string;
    readonly when: string;
    readonly command: boolean;
  }[];
  readonly failure?: { readonly text: string; readonly count: number } | null;
}

/** GET /api/v1/apps, /api/v1/apps/{name} (decision 23). */
export interface Summary {
  readonly kind: string;
  readonly name: string;
  readonly displayName: string;
  readonly project: string;
  readonly environment: string;
  readonly state: 'ready' | 'pending' | 'failed' | 'draft' | 'deleting';
  readonly message: string;
  readonly createdAt: string;
  readonly url: string;
  readonly details: Readonly<Record<string, unknown>>;
}
export interface Read {
  readonly resource: Summary;
  readonly spec: Readonly<Record<string, unknown>>;
  readonly status: Readonly<Record<string, unknown>>;
}

/** GET /api/v1/builds?app=&state=&limit=, newest first; `state` as for instances, `limit` 1 to 1000, else 100. */
export interface BuildSummary {
  readonly name: string;
  readonly app: string;
  readonly project: string;
  readonly environment: string;
  readonly state: string;
  readonly shown: string;
  readonly current: boolean;
  readonly createdAt: string;
  readonly startedAt?: string;
  readonly completedAt?: string;
  readonly commit?: string;
  readonly imageDigest?: string;
  readonly failureReason?: string;
}

/** GET /api/v1/builds/{name} */
export interface BuildRead extends BuildSummary {
  readonly repository: string;
  readonly branch: string;
  readonly uid: string;
  readonly image: string;
  readonly jobRef: string;
  readonly logRef: string;
  readonly ciState: string;
  readonly ciChecks: readonly string[];
  readonly retryCount: number;
  readonly cancelRequested: boolean;
  readonly lastLogLine: string;
  readonly paused: boolean;
  readonly spec: Readonly<Record<string, unknown>>;
  readonly status: Readonly<Record<string, unknown>>;
}

/**
 * GET /api/v1/builds/{name}/log: text/plain; `?container=git|builder`, `?tail=<lines>`, `?follow=true` streams lines
 * as server-sent events `line` ({line}) and one `end` ({reason}). 404 with `The log is gone since <time>` after its hour,
 * or with why there is none yet.
 */
export interface LogLine {
  readonly line: string;
}

/**
 * GET /api/v1/events: server-sent events. The id of a move or a deletion is `<at in ms>.<uid>.<seq>`; a resume by the
 * header Last-Event-ID or `?lastEventId=` sends all since, less 60 s: ids that are known are to be dropped.
 */
export type StreamEvent =
  | { readonly event: 'hello'; readonly data: { readonly now: string; readonly resumed: boolean } }
  | {
      readonly event: 'move';
      readonly data: Move & {
        readonly name: string;
        readonly uid: string;
        readonly kind: string;
        readonly instance: Instance;
      };
    }
  /** What no move tells of an instance (its next look, paused, failing passes …). */
  | { readonly event: 'instance'; readonly data: Instance }
  | {
      readonly event: 'deleted';
      readonly data: { readonly name: string; readonly uid: string; readonly kind: string; readonly machine: string };
    }
  /** The id asked for is older than what is kept, or the replica began or ended to lead: read everything again. */
  | { readonly event: 'reset'; readonly data: { readonly reason: string } }
  /** Every 15 s. */
  | { readonly event: 'tick'; readonly data: { readonly now: string } };

/** One object as it is stored, as far as the reader is told of it. */
export interface Stored {
  readonly metadata: {
    readonly name: string;
    readonly uid?: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly creationTimestamp?: string;
    readonly deletionTimestamp?: string;
  };
  readonly spec: Readonly<Record<string, unknown>>;
  readonly status: Readonly<Record<string, unknown>>;
}

/** GET /api/bootstrap: the whole platform (document 001, Endpoints). */
export interface Bootstrap {
  readonly projects: readonly Stored[];
  readonly apps: readonly Stored[];
  readonly builds: readonly Stored[];
  readonly databases: readonly Stored[];
  readonly logicalDatabases: readonly Stored[];
  readonly objectStores: readonly Stored[];
  readonly backupArchives: readonly Stored[];
  readonly deployments: readonly Stored[];
  readonly clusters: readonly Stored[];
  readonly nodes: readonly Stored[];
  /** These and the next are empty for whoever sees no connections. */
  readonly connections: readonly Stored[];
  readonly cloudConnections: readonly Stored[];
  /** Empty for whoever sees no terminals. */
  readonly consoleSessions: readonly Stored[];
  readonly haReadiness: readonly Stored[];
  readonly networkLogs: readonly Stored[];
  /** The object `platform`; null while there is none. */
  readonly platform: Stored | null;
}

/** POST /api/v1/databases/{database}/deploy: the deploy is saved, and the operator takes it up. */
export interface Deployed {
  readonly name: string;
  readonly kind: string;
  readonly deployed: true;
  /** The name of its record; empty for databases and buckets. */
  readonly deployment: string;
  readonly state: Summary['state'];
}

/** POST actions answer with what they did. */
export interface Done {
  readonly name: string;
  readonly state: string;
  readonly note?: string;
}
