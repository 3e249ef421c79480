import type { RouteId } from '../../../rules/access/routes.ts';
import type {
  ApiToken,
  AttentionList,
  AttentionRetried,
  BuildRead,
  BuildSummary,
  Change,
  Compliance,
  ConsoleCreated,
  ConsoleSessionItem,
  Created,
  Deleted,
  QueuedDelivery,
  DeliveryItem,
  Dependent,
  Deployed,
  Deployment,
  DeviceDecision,
  DeviceReview,
  Done,
  EnvironmentCounts,
  EnvironmentDeployed,
  Explanation,
  Explanations,
  FunctionAnswer,
  GitInstallation,
  Identity,
  Instance,
  InstanceRead,
  Items,
  KindCounts,
  Machine,
  ManifestStep,
  NewApiToken,
  Nodes,
  Platform,
  PodItem,
  PullRequestItem,
  Read,
  Scaled,
  Session,
  Settings,
  SharedVariableItem,
  StatusItem,
  Summary,
  Trace,
  Transitions,
  Trigger,
  TriggerRemoved,
  Usage,
  UserItem,
  Variable,
  WebhookCreated,
  WebhookItem,
} from '../../api.ts';
import type { QueryResult } from '../pages/database/sql/text.ts';
import type { ApiDescription } from '../pages/apiDocs/description.ts';

/** Where each kind of resource stands in the API. */
export const resourceBases = {
  CoreApp: '/apps/{app}',
  CoreDatabase: '/databases/{database}',
  CoreLogicalDatabase: '/logical-databases/{logicalDatabase}',
  CoreObjectStore: '/object-stores/{store}',
} as const;
type Base = (typeof resourceBases)[keyof typeof resourceBases];

/** What is read of a resource, by what follows its own path. */
interface ResourceReads {
  readonly '': Read;
  readonly '/changes': Items<Change>;
  readonly '/connection': Connection;
  readonly '/dependents': Items<Dependent>;
  readonly '/explain': Explanations;
  readonly '/metrics': Usage;
  readonly '/transitions': Transitions;
}

/** What is asked of a resource. */
interface ResourceRequests {
  readonly '/deploy': Deployed;
  readonly '/retry': Done;
}

/** What a connection holds, by the names of the API. */
export type Connection = Readonly<Record<string, string | undefined>>;

type OfResources = { readonly [Part in keyof ResourceReads as `GET ${Base}${Part}`]: ResourceReads[Part] } & {
  readonly [Part in keyof ResourceRequests as `POST ${Base}${Part}`]: ResourceRequests[Part];
};

/** What each route that the dashboard asks answers. */
export interface RouteAnswers extends OfResources {
  readonly 'GET /apps/{app}/status': StatusItem;
  readonly 'GET /apps/{app}/deployments': Items<Deployment>;
  readonly 'GET /apps/{app}/pods': Items<PodItem>;
  readonly 'GET /apps/{app}/variables': Items<Variable>;
  readonly 'GET /apps/{app}/triggers': Items<Trigger>;
  readonly 'GET /apps/{app}/console/sessions': Items<ConsoleSessionItem>;
  readonly 'GET /platform': Platform;
  readonly 'GET /builds': Items<BuildSummary>;
  readonly 'GET /backup-archives/{archive}': Read;
  readonly 'GET /backup-archives/{archive}/explain': Explanations;
  readonly 'GET /ha-readiness': unknown;
  readonly 'GET /builds/{build}/explain': Explanations;
  readonly 'GET /projects/{project}/explain': Explanations;
  readonly 'GET /attention': AttentionList;
  readonly 'POST /attention/{id}/retry': AttentionRetried;
  readonly 'GET /projects/{project}': Read;
  readonly 'GET /projects/{project}/variables': Items<SharedVariableItem>;
  readonly 'GET /projects/{project}/compliance': Compliance;
  readonly 'GET /projects/{project}/webhooks': Items<WebhookItem>;
  readonly 'GET /projects/{project}/webhooks/{webhook}/deliveries': Items<DeliveryItem>;
  readonly 'GET /projects/{project}/pull-requests': Items<PullRequestItem>;
  readonly 'GET /projects/{project}/cloud-connections': Items<Summary>;
  readonly 'GET /counts/environments': Items<EnvironmentCounts>;
  readonly 'GET /counts/kinds': Items<KindCounts>;
  readonly 'GET /clusters': Items<Read>;
  readonly 'GET /nodes': Nodes;
  readonly 'GET /settings': Settings;
  readonly 'GET /git/installations': Items<GitInstallation>;
  readonly 'GET /machines': Items<Machine>;
  readonly 'GET /machines/{machine}/instances/{instance}': InstanceRead;
  readonly 'GET /machines/{machine}/instances/{instance}/explain': Explanation;
  readonly 'GET /machines/{machine}/transitions': Items<Trace>;
  readonly 'GET /auth/device/{code}': DeviceReview;
  readonly 'GET /users': Items<UserItem>;
  readonly 'GET /tokens': Items<ApiToken>;
  readonly 'GET /apps': Items<Summary>;
  readonly 'GET /databases': Items<Summary>;
  readonly 'GET /logical-databases': Items<Summary>;
  readonly 'GET /object-stores': Items<Summary>;
  readonly 'GET /projects': Items<Summary>;
  readonly 'GET /backup-archives': Items<Summary>;
  readonly 'GET /builds/{build}': BuildRead;
  readonly 'GET /backup-archives/{archive}/transitions': Transitions;
  readonly 'GET /machines/{machine}/instances': Items<Instance>;
  readonly 'GET /machines/{machine}/instances/{instance}/transitions': Transitions;
  readonly 'GET /projects/{project}/metrics': Usage;
  readonly 'GET /openapi.json': ApiDescription;
  readonly 'GET /session': Session;
  readonly 'DELETE /apps/{app}': Deleted;
  readonly 'DELETE /apps/{app}/triggers/{trigger}': TriggerRemoved;
  readonly 'DELETE /databases/{database}': Deleted;
  readonly 'DELETE /logical-databases/{logicalDatabase}': Deleted;
  readonly 'DELETE /nodes/{node}': unknown;
  readonly 'DELETE /object-stores/{store}': Deleted;
  readonly 'DELETE /projects/{project}': Deleted;
  readonly 'DELETE /projects/{project}/cloud-connections/{connection}': Deleted;
  readonly 'DELETE /projects/{project}/environments/{environment}': Deleted;
  readonly 'DELETE /projects/{project}/webhooks/{webhook}': unknown;
  readonly 'DELETE /tokens/{token}': ApiToken;
  readonly 'PATCH /apps/{app}': StatusItem;
  readonly 'PATCH /clusters/{cluster}': unknown;
  readonly 'PATCH /databases/{database}': Read;
  readonly 'PATCH /object-stores/{store}': Read;
  readonly 'PATCH /projects/{project}': Read;
  readonly 'PATCH /projects/{project}/cloud-connections/{connection}': Read;
  readonly 'PATCH /projects/{project}/webhooks/{webhook}': WebhookItem;
  readonly 'POST /apps': Created;
  readonly 'POST /apps/{app}/build': Done;
  readonly 'POST /apps/{app}/build/cancel': Done;
  readonly 'POST /apps/{app}/call': FunctionAnswer;
  readonly 'POST /apps/{app}/config/delete': unknown;
  readonly 'POST /apps/{app}/config/set': unknown;
  readonly 'POST /apps/{app}/secrets/delete': unknown;
  readonly 'POST /apps/{app}/secrets/set': unknown;
  readonly 'POST /apps/{app}/console/create': ConsoleCreated;
  readonly 'POST /apps/{app}/scale': Scaled;
  readonly 'POST /apps/{app}/triggers': Trigger;
  readonly 'POST /auth/device/approve': DeviceDecision;
  readonly 'POST /auth/device/deny': DeviceDecision;
  readonly 'POST /databases': Created;
  readonly 'POST /databases/restore': Created;
  readonly 'POST /databases/{database}/query': QueryResult;
  readonly 'POST /databases/{database}/stop': Done;
  readonly 'POST /ha-readiness/check': unknown;
  readonly 'POST /logical-databases': Created;
  readonly 'POST /login': Identity;
  readonly 'POST /logout': unknown;
  readonly 'POST /machines/{machine}/instances/{instance}/look': Done;
  readonly 'POST /nodes': unknown;
  readonly 'POST /nodes/{node}/tags': unknown;
  readonly 'POST /object-stores': Created;
  readonly 'POST /projects': Created;
  readonly 'POST /projects/{project}/backup-storage/clear': Read;
  readonly 'POST /projects/{project}/backup-storage/save': Read;
  readonly 'POST /projects/{project}/cloud-connections': Read;
  readonly 'POST /projects/{project}/compliance': Compliance;
  readonly 'POST /projects/{project}/deploy': EnvironmentDeployed;
  readonly 'POST /projects/{project}/environments': Read;
  readonly 'POST /projects/{project}/git/connect': Read;
  readonly 'POST /projects/{project}/git/disconnect': Read;
  readonly 'POST /projects/{project}/pr-environments/save': Read;
  readonly 'POST /projects/{project}/variables/delete': unknown;
  readonly 'POST /projects/{project}/variables/set': unknown;
  readonly 'POST /projects/{project}/webhooks': WebhookCreated;
  readonly 'POST /projects/{project}/webhooks/{webhook}/deliveries/{delivery}/redeliver': QueuedDelivery;
  readonly 'POST /projects/{project}/webhooks/{webhook}/rotate': WebhookCreated;
  readonly 'POST /projects/{project}/webhooks/{webhook}/test': QueuedDelivery;
  readonly 'POST /settings/dns/disconnect': unknown;
  readonly 'POST /settings/dns/save': unknown;
  readonly 'POST /settings/domain/save': unknown;
  readonly 'POST /settings/git-app/manifest': ManifestStep;
  readonly 'POST /settings/git-app/save': unknown;
  readonly 'POST /settings/registry/save': unknown;
  readonly 'POST /tokens': NewApiToken;
}

/** A route that the dashboard asks: one that the API has. */
type AskedRoute = keyof RouteAnswers & RouteId;
export type ReadRoute = Extract<AskedRoute, `GET ${string}`>;
export type WriteRoute = Exclude<AskedRoute, ReadRoute>;

/** The names in the path of a route. */
type NamesIn<Route extends string> = Route extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** What stands for the names in the path of a route. */
export type PathOf<Route extends string> = Readonly<Record<NamesIn<Route>, string>>;

declare const answers: unique symbol;
/** A path of the API, with the type of what it answers. */
export type TypedPath<Answer> = string & { readonly [answers]: Answer };

/** Sign-in is the same in every version of the API. */
const unversioned: readonly string[] = ['/login', '/logout', '/session'];

const pathIn = (template: string, valueOf: (name: string) => string): string =>
  `${unversioned.includes(template) ? '/api' : '/api/v1'}${template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(valueOf(name)))}`;

/** The path of a route, typed by what it answers. */
export const pathTo = <Route extends AskedRoute>(route: Route, names: PathOf<Route>): TypedPath<RouteAnswers[Route]> =>
  pathIn(route.slice(route.indexOf(' ') + 1), (name) => names[name as keyof PathOf<Route>]) as TypedPath<
    RouteAnswers[Route]
  >;

/** A resource, as every list names it. */
export interface ResourceName {
  readonly kind: string;
  readonly name: string;
}

type ResourceParts = ResourceReads & ResourceRequests;

/** The path of a resource of any kind, or of a part of it. */
export const resourcePath = <Part extends keyof ResourceParts>(
  { kind, name }: ResourceName,
  part: Part,
): TypedPath<ResourceParts[Part]> =>
  `${pathIn(resourceBases[kind as keyof typeof resourceBases], () => name)}${part}` as TypedPath<ResourceParts[Part]>;

/** The path that explains an object of any kind that has causes; null for all others. */
export function explainPath({ kind, name }: ResourceName): TypedPath<Explanations> | null {
  if (kind in resourceBases) return resourcePath({ kind, name }, '/explain');
  if (kind === 'CoreBuild') return pathTo('GET /builds/{build}/explain', { build: name });
  return kind === 'CoreProject' ? pathTo('GET /projects/{project}/explain', { project: name }) : null;
}

/** A path with a query, which selects among what it answers. */
export const withQuery = <Answer>(
  path: TypedPath<Answer>,
  query: Readonly<Record<string, string>>,
): TypedPath<Answer> => {
  const text = new URLSearchParams(query).toString();
  return (text === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${text}`) as TypedPath<Answer>;
};

/** What the response of a path holds. */
export const answerIn = async <Answer>(_: TypedPath<Answer>, response: Response): Promise<Answer> =>
  (await response.json()) as Answer;
