import type { RouteId } from '../../../rules/access/routes.ts';
import type {
  ApiToken,
  BuildSummary,
  Change,
  Compliance,
  ConsoleSessionItem,
  DeliveryItem,
  Deployment,
  DeviceReview,
  EnvironmentCounts,
  Explanation,
  GitInstallation,
  InstanceRead,
  Items,
  KindCounts,
  Machine,
  Nodes,
  Platform,
  PodItem,
  PullRequestItem,
  Read,
  Settings,
  SharedVariableItem,
  StatusItem,
  Summary,
  Trace,
  Trigger,
  Usage,
  UserItem,
  Variable,
  WebhookItem,
} from '../../api.ts';

/** What each route that the dashboard reads answers. */
export interface RouteAnswers {
  readonly 'GET /apps/{app}': Read;
  readonly 'GET /apps/{app}/status': StatusItem;
  readonly 'GET /apps/{app}/changes': Items<Change>;
  readonly 'GET /apps/{app}/deployments': Items<Deployment>;
  readonly 'GET /apps/{app}/pods': Items<PodItem>;
  readonly 'GET /apps/{app}/explain': Items<Explanation>;
  readonly 'GET /apps/{app}/variables': Items<Variable>;
  readonly 'GET /apps/{app}/triggers': Items<Trigger>;
  readonly 'GET /apps/{app}/console/sessions': Items<ConsoleSessionItem>;
  readonly 'GET /apps/{app}/metrics': Usage;
  readonly 'GET /platform': Platform;
  readonly 'GET /builds': Items<BuildSummary>;
  readonly 'GET /databases/{database}': Read;
  readonly 'GET /databases/{database}/metrics': Usage;
  readonly 'GET /backup-archives/{archive}': Read;
  readonly 'GET /backup-archives/{archive}/explain': Items<Explanation>;
  readonly 'GET /logical-databases/{logicalDatabase}': Read;
  readonly 'GET /object-stores/{store}': Read;
  readonly 'GET /ha-readiness': unknown;
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
}

/** A route that is read: one that the API has. */
export type ReadRoute = keyof RouteAnswers & RouteId;

/** The names in the path of a route. */
type NamesIn<Route extends string> = Route extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** What stands for the names in the path of a route. */
export type PathOf<Route extends string> = Readonly<Record<NamesIn<Route>, string>>;

/** A path of the API, with the type of what is read there. A plain text is a path of which the type is not known. */
export type TypedPath<Answer> = string & { readonly answers?: Answer };
