import { Optional as optional, Type } from '@sinclair/typebox';
import { coreApp } from '../../../crds/coreApp.ts';
import { sourceLimits } from '../../../crds/sourceLimits.ts';
import { watchExample, watchPathsAtMost, watchPattern } from '../../../crds/watchPath.ts';
import { states } from '../../../rules/state.ts';
import { type ReadonlyStatic, anyFields, oneOf, orNull, text } from '../../openapi/kit.ts';
import { requestedFields } from '../../openapi/requestedFields.ts';
import { worstCause } from '../cause.ts';

const flag = (description: string) => optional(Type.Boolean({ description }));
const count = (description: string) => Type.Integer({ description, minimum: 0 });

const attempt = Type.Object(
  {
    id: text(),
    phase: text(),
    startedAt: orNull(text('A time.')),
    completedAt: orNull(text('A time.')),
    summary: text(),
    errors: Type.Array(Type.Object({ recordedAt: text('A time.'), message: text() })),
    afterwards: orNull(
      Type.Object(
        { reason: text(), message: text(), at: text('A time.'), count: Type.Integer() },
        { description: 'What happened to its copies after it succeeded.' },
      ),
    ),
  },
  { title: 'Attempt' },
);

const currentBuild = Type.Object({
  name: text(),
  phase: text(),
  failureReason: text(),
  sourceRevision: text(),
  ciState: text(),
  startedAt: orNull(text('A time.')),
  completedAt: orNull(text('A time.')),
});

const sleep = Type.Object({
  idleSeconds: orNull(Type.Integer()),
  maxReplicas: orNull(Type.Integer()),
  active: optional(Type.Boolean()),
  message: optional(text()),
});

/** Whether the deploy gate is off. */
export const appliesAtOnce = Type.Boolean({ description: 'Whether each saved change takes effect without a deploy.' });

/** What a service is doing, for those who wait for it. */
export const statusItem = Type.Object(
  {
    name: text(),
    project: text(),
    environment: text(),
    state: oneOf(...states),
    message: text(),
    url: text(),
    ready: Type.Boolean(),
    pendingChanges: Type.Boolean({ description: 'Whether saved changes wait for a deploy.' }),
    appliesAtOnce,
    sleeping: Type.Boolean(),
    replicas: orNull(
      Type.Object({
        desired: count('As many as there should be.'),
        ready: count('As many as are ready.'),
        available: count('As many as have been ready for long enough.'),
      }),
    ),
    scaleToZero: orNull(sleep),
    build: orNull(currentBuild),
    lastAttempt: orNull(attempt),
    cause: worstCause,
  },
  { title: 'StatusItem' },
);
/** GET /api/v1/apps/{app}/status; also the response to PATCH /api/v1/apps/{app}. */
export type StatusItem = ReadonlyStatic<typeof statusItem>;

const sources = oneOf('image', 'git', 'function');
const port = Type.Integer({ minimum: 1, maximum: 65_535 });

/** A new service: where it runs, and one source. */
export const appRequest = Type.Object(
  {
    project: text('The project it belongs to.'),
    environment: text('One of the environments of the project.'),
    name: optional(text('At most 36 lowercase letters, digits and hyphens; made up when left out.')),
    displayName: optional(text('What people read.')),
    draft: flag('Saves a draft, which is what happens when neither this nor `deploy` is sent.'),
    deploy: flag('Deploys it at once; refused before anything is saved where the cluster has no room.'),
    source: optional(sources),
    image: optional(text('Image to run as it is.')),
    repository: optional(text('`owner/name` of the repository to build.')),
    branch: optional(text('Branch to build, `main` when left out.')),
    runtime: optional(oneOf('bun', 'node', 'python')),
    code: optional(text('Code of a function.')),
    mode: optional(oneOf('http', 'event')),
    port: optional(port),
  },
  { title: 'AppAsked' },
);

const watched = Type.String({ ...sourceLimits.path, pattern: watchPattern, examples: [watchExample, '!docs/**'] });
const asSpec = requestedFields(coreApp.spec, []);
const fieldOf = (name: string) => optional(orNull(asSpec[name] ?? anyFields));

/** A change of a service: what is left out stays, and null takes a setting away. */
export const appChanged = Type.Object(
  {
    displayName: optional(text()),
    image: optional(text()),
    branch: optional(text()),
    commit: optional(text('Empty to follow the branch.')),
    context: optional(text()),
    buildfile: optional(text()),
    waitForCI: optional(Type.Boolean()),
    watchPaths: optional(Type.Array(watched, { maxItems: watchPathsAtMost })),
    port: optional(orNull(port)),
    replicas: optional(Type.Integer({ minimum: 0, maximum: 1000 })),
    resources: fieldOf('resources'),
    autoscaling: fieldOf('autoscaling'),
    host: optional(text('Empty to take the host away.')),
    tls: optional(Type.Boolean()),
    code: optional(text()),
    runtime: optional(oneOf('bun', 'node', 'python')),
    handler: optional(text()),
    sharedVariableRefs: fieldOf('sharedVariableRefs'),
    connectionRefs: fieldOf('connectionRefs'),
    registry: optional(text('Where its builds are pushed; empty for the registry of the platform.')),
    cache: optional(Type.Boolean()),
    logStore: optional(text('Object store of the build logs; empty for none.')),
    maxReplicas: optional(Type.Integer({ minimum: 1 })),
    scaleToZero: optional(oneOf('on', 'off')),
    idleSeconds: optional(Type.Integer({ minimum: 30, maximum: 86_400 })),
  },
  { title: 'AppChanged' },
);

export const deployment = Type.Object(
  {
    id: text('The name of the record.'),
    phase: text(),
    image: text(),
    commit: text(),
    trigger: text(),
    actor: text(),
    changeTitle: text(),
    createdAt: text('A time.'),
    startedAt: orNull(text('A time.')),
    completedAt: orNull(text('A time.')),
    /** The state of the newest deploy; null for older ones. */
    verdict: orNull(oneOf('running', 'succeeded', 'failed')),
  },
  { title: 'Deployment' },
);
/** GET /api/v1/apps/{app}/deployments, newest first. */
export type Deployment = ReadonlyStatic<typeof deployment>;

export const pod = Type.Object(
  {
    name: text(),
    phase: text(),
    ready: Type.Boolean(),
    restarts: count('Restarts of all its containers.'),
    node: text(),
    containers: Type.Array(Type.Object({ name: text(), ready: Type.Boolean(), state: text(), reason: text() })),
    startedAt: orNull(text('A time.')),
  },
  { title: 'Pod' },
);
/** GET /api/v1/apps/{app}/pods, by name. */
export type PodItem = ReadonlyStatic<typeof pod>;

export const variable = Type.Object(
  {
    name: text(),
    kind: oneOf('config', 'secret', 'literal'),
    injected: Type.Boolean({ description: 'Whether it comes from elsewhere, and cannot be removed here.' }),
    from: text('Where its value comes from; empty for the service itself.'),
    value: optional(text('Of a plain variable, for those who may read it.')),
  },
  { title: 'Variable' },
);
/** GET /api/v1/apps/{app}/variables, by name; no secret has a value. */
export type Variable = ReadonlyStatic<typeof variable>;

export const variableKey = Type.Object({ key: Type.String({ minLength: 1 }) });
export const variableSet = Type.Object({ key: Type.String({ minLength: 1 }), value: Type.String() });

export const variableWritten = Type.Object(
  { name: text(), key: text(), kind: oneOf('config', 'secret'), pending: Type.Boolean(), appliesAtOnce },
  { title: 'VariableWritten' },
);
/** POST /api/v1/apps/{app}/config/set, /secrets/set {key, value} */
export type VariableWritten = ReadonlyStatic<typeof variableWritten>;
export const variableRemoved = Type.Object(
  { name: text(), key: text(), removed: Type.Boolean(), pending: Type.Boolean(), appliesAtOnce },
  { title: 'VariableRemoved' },
);
/** POST /api/v1/apps/{app}/config/delete, /secrets/delete {key} */
export type VariableRemoved = ReadonlyStatic<typeof variableRemoved>;

export const scaled = Type.Object(
  {
    name: text(),
    replicas: Type.Integer(),
    state: oneOf(...states),
    note: optional(text('Why other copies run than were asked for.')),
  },
  { title: 'Scaled' },
);
/** POST /api/v1/apps/{app}/scale {replicas} */
export type Scaled = ReadonlyStatic<typeof scaled>;

export const environmentDeployed = Type.Object(
  {
    project: text(),
    environment: text(),
    deployed: Type.Array(text()),
    refused: Type.Array(Type.Object({ kind: text(), name: text(), error: text() })),
  },
  { title: 'EnvironmentDeployed' },
);
/** POST /api/v1/projects/{project}/deploy {environment} */
export type EnvironmentDeployed = ReadonlyStatic<typeof environmentDeployed>;
