import type { ReadonlyStatic } from './openapi/kit.ts';
import type * as access from './openapi/shapes/access.ts';
import type * as consoles from './openapi/shapes/consoles.ts';
import type * as counts from './openapi/shapes/counts.ts';
import type * as databases from './openapi/shapes/databases.ts';
import type * as objectStores from './openapi/shapes/objectStores.ts';
import type * as logicals from './openapi/shapes/logicalDatabases.ts';
import type * as builds from './openapi/shapes/builds.ts';
import type * as functions from './openapi/shapes/functions.ts';
import type * as git from './openapi/shapes/git.ts';
import type * as machines from './openapi/shapes/machines.ts';
import type * as infrastructures from './openapi/shapes/infrastructure.ts';
import type * as usages from './openapi/shapes/usage.ts';
import type * as serviceLogs from './openapi/shapes/serviceLogs.ts';
import type * as gitApplication from './openapi/shapes/gitApplication.ts';
import type * as services from './openapi/shapes/services.ts';
import type * as projects from './openapi/shapes/projects.ts';
import type * as nodes from './openapi/shapes/nodes.ts';
import type * as platforms from './openapi/shapes/platform.ts';
import type * as settings from './openapi/shapes/settings.ts';
import type * as webhooks from './openapi/shapes/webhooks.ts';

/**
 * The JSON of the REST API, shared by the server, the dashboard and later clients, and inferred from the schemas that
 * describe it. Times are RFC 3339.
 */
export type ErrorBody = ReadonlyStatic<typeof access.errorBody>;

export interface Items<T> {
  readonly items: readonly T[];
  /** Leads to the next page of a list that was asked for with a limit; absent at the end. */
  readonly continue?: string;
  /** How many come after these, where it is asked. */
  readonly remaining?: number;
}

/** Who is signed in (document 002, GET /me; decision 20). */
export type Identity = ReadonlyStatic<typeof access.identity>;
export type Session = ReadonlyStatic<typeof access.session>;

/** GET /api/v1/users, by name: a user of the sign-in Secret, without password and epoch. Written with kubectl alone. */
export type UserItem = ReadonlyStatic<typeof access.user>;

/** GET /api/v1/tokens, by name: an API token without its secret. */
export type ApiToken = ReadonlyStatic<typeof access.token>;
/** POST /api/v1/tokens: a role, or project and environment. */
export type TokenAsked = ReadonlyStatic<typeof access.tokenAsked>;
/** The response to it, and the only one that carries the token. */
export type NewApiToken = ReadonlyStatic<typeof access.newToken>;

/** POST /api/v1/auth/device {client_name} (RFC 8628). Seconds. */
export type DeviceStart = ReadonlyStatic<typeof access.deviceIssued>;
/**
 * POST /api/v1/auth/token {device_code}, once it is approved; before that, and when it never will be, 400 with
 * `authorization_pending`, `slow_down`, `access_denied` or `expired_token`.
 */
export type DeviceToken = ReadonlyStatic<typeof access.deviceToken>;
/** POST /api/v1/auth/device/approve */
export type DeviceApproval = ReadonlyStatic<typeof access.deviceApproval>;
/** POST /api/v1/auth/device/deny */
export type DeviceDenial = ReadonlyStatic<typeof access.deviceDenial>;
/** The response to both. */
export type DeviceDecision = ReadonlyStatic<typeof access.deviceDecided>;
/** GET /api/v1/auth/device/{code}, by the user code: what an approver reviews and may choose from. */
export type DeviceReview = ReadonlyStatic<typeof access.deviceRequest>;

/** GET /api/v1/platform */
export type Platform = ReadonlyStatic<typeof access.platform>;

/** GET /api/v1/nodes: the servers, and the nodes that run without an entry among them. */
export type Nodes = ReadonlyStatic<typeof nodes.nodeList>;
export type UnmanagedNode = ReadonlyStatic<typeof nodes.unmanagedNode>;

export type Row = ReadonlyStatic<typeof machines.row>;
/** GET /api/v1/machines, /api/v1/machines/{machine} */
export type Machine = ReadonlyStatic<typeof machines.machine>;
export type Note = ReadonlyStatic<typeof machines.note>;
/** One instance of a machine in a list: FailedBeforeJob is shown as Failed. */
export type Instance = ReadonlyStatic<typeof machines.instance>;
/** GET /api/v1/machines/{machine}/instances/{instance}, by the id that the list gives. */
export type InstanceRead = ReadonlyStatic<typeof machines.instanceRead>;
/**
 * GET /api/v1/machines/{machine}/instances?state=&retrying=true&stuck=<seconds>&q=&limit=, by name. `state` takes
 * several values separated by commas, in any case, as the machine's word or as the displayed one; a resting instance is
 * never stuck.
 */
export type Instances = Items<Instance>;

/** One move of status.history. */
export type Move = ReadonlyStatic<typeof machines.move>;
/** GET /api/v1/builds/{name}/transitions, /api/v1/machines/{machine}/instances/{instance}/transitions */
export type Transitions = ReadonlyStatic<typeof machines.transitions>;
/** One instance with every move in its history, of all its machines, oldest first, for audits. */
export type Trace = ReadonlyStatic<typeof machines.trace>;
/** GET /api/v1/machines/{machine}/transitions, by name. */
export type Traces = Items<Trace>;

/**
 * GET /api/v1/builds/{name}/explain, /api/v1/machines/{machine}/instances/{instance}/explain: why the instance is in
 * its state, and what happens next. `observedAt`, `nextCheckAt` and `failure` are null from a standby: it decides from its
 * caches, and only the leader knows more.
 */
export type Explanation = ReadonlyStatic<typeof machines.explanation>;
/** The result of one rule for the facts. `not reached`: an earlier rule held or a fact is missing. */
export type Tried = Explanation['tried'][number];

/** GET /api/v1/apps, /api/v1/apps/{name} (decision 23). */
export type Summary = ReadonlyStatic<typeof builds.summary>;
export type Read = ReadonlyStatic<typeof builds.resourceRead>;

/** GET /api/v1/counts/environments, by project and name: what each environment holds. */
export type EnvironmentCounts = ReadonlyStatic<typeof counts.environmentCounts>;
/** GET /api/v1/counts/kinds */
export type KindCounts = ReadonlyStatic<typeof counts.kindCounts>;

/** GET /api/v1/builds?app=&state=&limit=, newest first; `state` as for instances, `limit` 1 to 1000, else 100. */
export type BuildSummary = ReadonlyStatic<typeof builds.buildSummary>;
/** GET /api/v1/builds/{name} */
export type BuildRead = ReadonlyStatic<typeof builds.buildRead>;

/**
 * GET /api/v1/builds/{name}/log: text/plain; `?container=git|builder`, `?tail=<lines>`, `?follow=true` streams lines as
 * server-sent events `line` ({line}) and one `end` ({reason}). 404 with `The log is gone since <time>` after its hour,
 * or with the reason why there is no log yet.
 */
export type LogLine = ReadonlyStatic<(typeof machines.logLines)['line']>;

type Streamed = typeof machines.streamed;
/**
 * GET /api/v1/events: server-sent events. The id of a move or a deletion is `<at in ms>.<uid>.<seq>`; a resume by the
 * header Last-Event-ID or `?lastEventId=` sends everything since that id and from the 60 s before it, so clients drop
 * ids they know. `instance` reports changes without a move (paused, failing passes, another interval of checks or moment of the
 * next one; not that a check came and changed nothing), `change` names an
 * object of any kind that was written or deleted, so that whoever shows it reads it again. `reset` means that the
 * id is older than the kept history, or that the replica gained or lost leadership: read everything again. `tick` comes
 * every 15 s.
 */
export type StreamEvent = {
  readonly [Name in keyof Streamed]: { readonly event: Name; readonly data: ReadonlyStatic<Streamed[Name]> };
}[keyof Streamed];

/** An object that was written or deleted. */
export type ChangeNotice = ReadonlyStatic<Streamed['change']>;

/** One stored object, with the fields that the reader may see. */
export type Stored = ReadonlyStatic<typeof platforms.stored>;
/** GET /api/bootstrap: the whole platform (document 001, Endpoints). */
export type Bootstrap = ReadonlyStatic<typeof platforms.bootstrap>;

/** POST /api/v1/databases: a draft, or deployed at once. */
export type Created = ReadonlyStatic<typeof databases.created>;
/** POST /api/v1/logical-databases: stored, and its creation begins. */
export type LogicalCreated = ReadonlyStatic<typeof logicals.logicalCreated>;
/** POST /api/v1/databases/{database}/query: what the client of the engine printed. */
export type QueryAnswer = ReadonlyStatic<typeof databases.queryAnswer>;
/** How programs reach a database; the password and the address are returned on request. */
export type Connection = ReadonlyStatic<typeof databases.connection>;
export type BucketConnection = ReadonlyStatic<typeof objectStores.bucketConnection>;
/** DELETE /api/v1/databases/{database}?confirmName=: the deletion has begun. */
export type Deleted = ReadonlyStatic<typeof databases.deleted>;
/** GET …/{name}/dependents of a database, a logical database or an object store. */
export type Dependent = ReadonlyStatic<typeof databases.dependent>;
/** POST /api/v1/databases/{database}/deploy: the deploy is saved, and the operator picks it up. */
export type Deployed = ReadonlyStatic<typeof databases.deployed>;

/** GET /api/v1/managed-db/cluster-sizes: a size that the provider of managed databases offers. */
export type ClusterSize = ReadonlyStatic<typeof infrastructures.clusterSize>;
/** GET /api/v1/ha-readiness, and POST /api/v1/ha-readiness/check. */
export type HAReadiness = ReadonlyStatic<typeof infrastructures.haReadiness>;

/** GET /api/v1/apps/{app}/status; also the response to PATCH /api/v1/apps/{app}. */
export type StatusItem = ReadonlyStatic<typeof services.statusItem>;
/** GET /api/v1/apps/{app}/deployments, newest first. */
export type Deployment = ReadonlyStatic<typeof services.deployment>;
/** A line of `ServiceLog`, and an event of `GET /api/v1/apps/{app}/logs/stream`. */
export type ServiceLogLine = ReadonlyStatic<typeof serviceLogs.serviceLogLine>;
/** GET /api/v1/apps/{app}/logs, oldest first. */
export type ServiceLog = ReadonlyStatic<typeof serviceLogs.serviceLog>;
/** GET /api/v1/{apps|databases|projects}/{name}/metrics. */
export type Usage = ReadonlyStatic<typeof usages.usage>;
/** GET /api/v1/apps/{app}/pods, by name. */
export type PodItem = ReadonlyStatic<typeof services.pod>;
/** GET /api/v1/apps/{app}/variables, by name; no secret has a value. */
export type Variable = ReadonlyStatic<typeof services.variable>;
/** GET /api/v1/apps/{app}/changes: what waits against what runs. */
export type Change = ReadonlyStatic<typeof services.change>;
/** POST /api/v1/apps/{app}/config/set, /secrets/set {key, value} */
export type VariableWritten = ReadonlyStatic<typeof services.variableWritten>;
/** POST /api/v1/apps/{app}/config/delete, /secrets/delete {key} */
export type VariableRemoved = ReadonlyStatic<typeof services.variableRemoved>;
/** POST /api/v1/apps/{app}/scale {replicas} */
export type Scaled = ReadonlyStatic<typeof services.scaled>;
/** POST /api/v1/apps/{app}/call: what a function answered. */
export type FunctionAnswer = ReadonlyStatic<typeof functions.functionAnswer>;
/** A schedule of a function. */
export type Trigger = ReadonlyStatic<typeof functions.trigger>;
export type TriggerRemoved = ReadonlyStatic<typeof functions.triggerRemoved>;
/** POST /api/v1/projects/{project}/deploy {environment} */
export type EnvironmentDeployed = ReadonlyStatic<typeof services.environmentDeployed>;

/** POST /api/v1/apps/{app}/console/create: a session, to whose name a terminal is attached. */
export type ConsoleCreated = ReadonlyStatic<typeof consoles.consoleCreated>;
/** GET /api/v1/apps/{app}/console/sessions, newest first. */
export type ConsoleSessionItem = ReadonlyStatic<typeof consoles.consoleSessionItem>;

/** GET /api/v1/projects/{project}/variables?environment=, by environment and name. */
export type SharedVariableItem = ReadonlyStatic<typeof projects.sharedVariable>;
/** POST /api/v1/projects/{project}/variables/set */
export type SharedVariableSet = ReadonlyStatic<typeof projects.variableSet>;
/** POST /api/v1/projects/{project}/variables/delete */
export type SharedVariableRemoved = ReadonlyStatic<typeof projects.variableRemoved>;
/** GET, POST /api/v1/projects/{project}/compliance */
export type Compliance = ReadonlyStatic<typeof projects.compliance>;

/** POST /api/v1/settings/git-app/manifest */
export type ManifestStep = ReadonlyStatic<typeof gitApplication.manifestStep>;
/** GET /api/v1/git/installations */
export type GitInstallation = ReadonlyStatic<typeof git.installation>;
/** GET /api/v1/projects/{project}/git/repositories */
export type GitRepository = ReadonlyStatic<typeof git.repository>;
/** GET /api/v1/projects/{project}/pull-requests */
export type PullRequestItem = ReadonlyStatic<typeof git.pullRequestItem>;

/** GET /api/v1/settings */
export type Settings = ReadonlyStatic<typeof settings.settings>;
/** GET /api/v1/projects/{project}/webhooks */
export type WebhookItem = ReadonlyStatic<typeof webhooks.webhookItem>;
/** POST /api/v1/projects/{project}/webhooks, …/{webhook}/rotate: the only responses with the secret. */
export type WebhookCreated = ReadonlyStatic<typeof webhooks.webhookCreated>;
/** GET /api/v1/projects/{project}/webhooks/{webhook}/deliveries, newest first. */
export type DeliveryItem = ReadonlyStatic<typeof webhooks.deliveryItem>;
/** POST …/{webhook}/test, …/deliveries/{delivery}/redeliver */
export type DeliveryAsked = ReadonlyStatic<typeof webhooks.deliveryAsked>;

/** POST actions respond with what they did. */
export type Done = ReadonlyStatic<typeof access.done>;
