/**
 * The JSON of the REST API, shared by the server, the dashboard and other clients, and inferred from the schemas that
 * describe it. Times are RFC 3339.
 */
export type { Items } from './openapi/paging.ts';
export type { ErrorBody } from './openapi/schema.ts';
export type {
  ApiToken,
  DeviceApproval,
  DeviceDecision,
  DeviceDenial,
  DeviceReview,
  DeviceStart,
  DeviceToken,
  Identity,
  NewApiToken,
  Platform,
  Session,
  TokenAsked,
  UserItem,
} from './openapi/shapes/access.ts';
export type { EnvironmentCounts, KindCounts } from './openapi/shapes/counts.ts';
export type { Connection, QueryAnswer } from './routes/databases/shapes.ts';
export type { FunctionAnswer, Trigger, TriggerRemoved } from './routes/functions/shapes.ts';
export type { GitInstallation, GitRepository, PullRequestItem } from './openapi/shapes/git.ts';
export type { ManifestStep } from './openapi/shapes/gitApplication.ts';
export type { ClusterSize, HAReadiness } from './openapi/shapes/infrastructure.ts';
export type { LogicalCreated } from './routes/logicalDatabases/shapes.ts';
export type { Nodes, UnmanagedNode } from './openapi/shapes/nodes.ts';
export type { BucketConnection } from './routes/objectStores/shapes.ts';
export type { Bootstrap, Stored } from './openapi/shapes/platform.ts';
export type {
  Compliance,
  SharedVariableItem,
  SharedVariableRemoved,
  SharedVariableSet,
} from './routes/projects/shapes.ts';
export type { ServiceLog, ServiceLogLine } from './routes/apps/logShapes.ts';
export type { Settings } from './routes/settings/shapes.ts';
export type { Usage } from './openapi/shapes/usage.ts';
export type { DeliveryAsked, DeliveryItem, WebhookCreated, WebhookItem } from './routes/projectWebhooks/shapes.ts';
export type {
  Deployment,
  EnvironmentDeployed,
  PodItem,
  Scaled,
  StatusItem,
  Variable,
  VariableRemoved,
  VariableWritten,
} from './routes/apps/shapes.ts';
export type { BuildRead, BuildSummary } from './routes/builds/shapes.ts';
export type { ConsoleCreated, ConsoleSessionItem } from './routes/consoles/shapes.ts';
export type {
  ChangeNotice,
  Explanation,
  Instance,
  InstanceRead,
  Instances,
  LogLine,
  Machine,
  Move,
  Note,
  Row,
  StreamEvent,
  Trace,
  Traces,
  Transitions,
  Tried,
} from './routes/machines/shapes.ts';
export type { Change, Created, Deleted, Dependent, Deployed, Done, Read, Summary } from './routes/resource.ts';
