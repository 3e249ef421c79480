import { Optional as optional, Type } from '@sinclair/typebox';
import { causes } from './cause.ts';
import { conditions, defineKind, history, type ObjectOf, observedGeneration, shape } from './kind.ts';
import { variableValue } from './variableValue.ts';
import { reconcileRetry } from './provisioning.ts';

const environmentName = (description: string) => shape.dnsLabel(description, 63);

const sharedVariable = Type.Object({
  name: shape.text('Variable name: capitals, digits and underscores, such as `API_URL`.', {
    pattern: '^[A-Z_][A-Z0-9_]*$',
  }),
  environment: shape.text('The one environment it belongs to.', {
    pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$',
    minLength: 1,
    maxLength: 63,
  }),
  value: variableValue({ description: 'Plain value.', default: '' }),
  secretRef: optional(
    Type.Object(
      {
        name: optional(shape.text('Secret in core-system.')),
        key: shape.text('Key of the Secret.'),
        optional: optional(shape.flag('Kept for compatibility; not read.')),
      },
      { description: 'Secret that holds the value; wins over `value`.' },
    ),
  ),
});

/** The events that a project's webhooks report. */
export const webhookEvents = ['deployment.started', 'deployment.succeeded', 'deployment.failed'] as const;

const webhook = Type.Object({
  id: shape.text('Identifier, and key of the signing secret in the Secret `<project>-webhooks`.', {
    pattern: '^[a-z0-9]{8}$',
  }),
  url: shape.text('Address of the receiver, of 8 to 2048 characters.', { minLength: 8, maxLength: 2048 }),
  events: optional(
    Type.Array(shape.choice('An event.', webhookEvents), {
      description: 'Events that are sent; empty means every event, present and future.',
    }),
  ),
  disabled: shape.flag('Pauses deliveries.', { default: false }),
});

const prEnvironments = Type.Object(
  {
    enabled: shape.flag('Turns the feature on.'),
    baseEnvironment: optional(environmentName('Environment that is copied; the first one when empty.')),
    maxOpen: shape.count('Most pull request environments at a time: 1 to 25, 5 when left out.', {
      default: 5,
      minimum: 1,
      maximum: 25,
    }),
  },
  { description: 'Copies an environment for every open pull request.' },
);

const backupStorage = Type.Object(
  {
    connectionRef: shape.reference('The CoreCloudConnection that owns the bucket.'),
    bucket: shape.bucket('Bucket; created when it does not exist.'),
    region: optional(shape.text("Cloud region of the bucket; the connection's when empty.")),
  },
  { description: 'Where database backups go.' },
);

const network = Type.Object(
  {
    isolation: shape.choice(
      '`Project`, when left out, lets only the project, the platform and visitors of its domains reach its services; `None` everybody.',
      ['Project', 'None'],
      { default: 'Project' },
    ),
    allowFromProjects: optional(
      Type.Array(shape.dnsLabel('A project ID.', 63), {
        description: "Other projects whose services may reach this one's; no effect when isolation is `None`.",
        maxItems: 20,
        'x-kubernetes-list-type': 'set',
      }),
    ),
  },
  { description: 'Network isolation; a project without it is isolated.' },
);

const delivery = Type.Object({
  webhookId: shape.text('`id` of the webhook.'),
  event: shape.text('Event sent.'),
  deliveryId: shape.text('Names the delivery.'),
  statusCode: optional(shape.count('HTTP status of the receiver.', { format: 'int32' })),
  error: optional(shape.text('Why the delivery failed.')),
  attempts: optional(shape.count('Requests made.', { format: 'int32' })),
  durationMillis: optional(shape.count('Time the delivery took.', { format: 'int64' })),
  time: shape.time('When it was sent.'),
  eventId: optional(shape.text('`id` of the event in the body.')),
  sentAt: optional(shape.time('When the request that is under way was claimed.')),
  sentBy: optional(shape.text('The process that claimed it, and alone may send it.')),
  endedAt: optional(shape.time('When the last attempt ended.')),
});

const waitingEvent = Type.Object({
  id: shape.text('`id` of the event in the body.'),
  type: shape.text('The event.'),
  body: shape.text('The body of every delivery of it.'),
  overflows: optional(shape.flag('Too many others were waiting when it came: its deliveries fail.')),
  deliveries: Type.Array(
    Type.Object({
      webhookId: shape.text('`id` of the webhook.'),
      deliveryId: shape.text('Names the delivery.'),
      again: optional(shape.flag('Asked for by a person, whatever the webhook has chosen.')),
    }),
    { description: 'Deliveries that are still to begin.' },
  ),
});

const announcedDeploy = Type.Object({
  service: shape.text('The service.'),
  uid: shape.text('Its uid.'),
  revision: shape.text('Its deploy that was announced last.'),
  told: shape.choice('What was told of it.', ['started', 'ended']),
});

const pullRequest = Type.Object({
  number: shape.count('Number of the pull request.', { format: 'int64' }),
  repository: shape.text('`owner/name`.'),
  branch: shape.text('Branch of the pull request.'),
  environment: shape.text('Its environment.'),
  url: optional(shape.text('Address of the pull request.')),
  openedAt: optional(shape.time('When its environment was made.')),
  targetBranch: optional(shape.text('Branch that it is to be merged into.')),
  head: optional(shape.text('Commit of its branch that was last told.')),
  closedAt: optional(shape.time('When it closed, while its environment is being removed.')),
});

const environment = Type.Object({
  name: shape.text('The environment.'),
  namespace: shape.text('Its namespace.'),
});

/** The values of `status.phase`, which shows the progress of a project's set-up. */
export const projectPhases = ['Reconciling', 'ReconcileError', 'ProjectReady', 'ProvisionFailed'] as const;

/** A project: the environments, variables and rules that its services, databases and buckets share. */
export const coreProject = defineKind({
  kind: 'CoreProject',
  plural: 'coreprojects',
  shortNames: ['cp'],
  describes: 'A project: groups the services, databases and buckets of one product and owns its environments.',
  columns: [{ name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' }],
  spec: Type.Object({
    displayName: optional(shape.text('Name shown to people.')),
    clusterRef: shape.reference('CoreCluster that owns the project; fixed by the first reconcile.'),
    region: optional(shape.dnsLabel("Nodes the project runs on; the cluster's default region when empty.", 40)),
    requiredTags: optional(shape.tags('Tags a node must all carry to run anything of the project; at most 8.')),
    environments: Type.Array(environmentName('An environment.'), {
      description:
        'Environments, 1 to 100; each becomes the namespace `<project>-<environment>`, of at most 63 characters.',
      minItems: 1,
      maxItems: 100,
    }),
    sharedVariables: optional(
      Type.Array(sharedVariable, { description: 'Variables that services of one environment may read.' }),
    ),
    gitConnectionRef: optional(shape.reference('The CoreGitHostConnection of the project.')),
    webhooks: optional(
      Type.Array(webhook, { description: 'Receivers of signed messages about deploys; at most 20.', maxItems: 20 }),
    ),
    prEnvironments: optional(prEnvironments),
    backupStorage: optional(backupStorage),
    network: optional(network),
  }),
  status: Type.Object({
    phase: optional(
      shape.text('Where the set-up of its environments stands; empty before the first pass.', {
        enum: ['', ...projectPhases],
      }),
    ),
    clusterRef: optional(shape.reference('Cluster of the first successful reconcile.')),
    environments: optional(
      Type.Array(environment, { description: 'Environments and their namespaces.', maxItems: 100 }),
    ),
    conditions: optional(conditions),
    observedGeneration: optional(observedGeneration),
    reconcileRetry: optional(reconcileRetry),
    webhookDeliveries: optional(
      Type.Array(delivery, { description: 'The newest 20 deliveries, newest first.', maxItems: 20 }),
    ),
    webhookEvents: optional(
      Type.Array(waitingEvent, {
        description:
          'Events with deliveries to begin, or with one in `webhookDeliveries`, 100 at most; the oldest first. Besides them up to 20 of which the deliveries fail, because there is no room.',
        maxItems: 120,
      }),
    ),
    announcedDeploys: optional(
      Type.Array(announcedDeploy, { description: 'What webhooks were last told of each service.' }),
    ),
    pullRequests: optional(
      Type.Array(pullRequest, { description: 'Open pull requests with an environment.', maxItems: 50 }),
    ),
    causes: optional(causes),
    history: optional(history),
  }),
});

export type CoreProject = ObjectOf<typeof coreProject>;
export type ProjectSpec = CoreProject['spec'];
export type ProjectStatus = NonNullable<CoreProject['status']>;
export type PullRequestEntry = NonNullable<ProjectStatus['pullRequests']>[number];
export type Webhook = NonNullable<ProjectSpec['webhooks']>[number];
export type WebhookDelivery = NonNullable<ProjectStatus['webhookDeliveries']>[number];
export type WebhookEvent = NonNullable<ProjectStatus['webhookEvents']>[number];
export type AnnouncedDeploy = NonNullable<ProjectStatus['announcedDeploys']>[number];
export type SharedVariable = NonNullable<ProjectSpec['sharedVariables']>[number];
