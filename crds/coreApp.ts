import { Optional as optional, Type } from '@sinclair/typebox';
import { branchName } from './branchName.ts';
import { causes } from './cause.ts';
import { cron } from './cron.ts';
import { hostName } from './hostName.ts';
import { imageReference } from './imageReference.ts';
import { conditions, defineKind, history, type ObjectOf, observedGeneration, shape } from './kind.ts';
import { provision, reconcileRetry } from './provisioning.ts';
import { resourcesOf } from './resources.ts';
import { servicePhases } from './serviceStates.ts';
import { sourceLimits } from './sourceLimits.ts';
import { variableValue } from './variableValue.ts';
import { watchPath, watchPathsAtMost } from './watchPath.ts';

const git = Type.Object(
  {
    repository: shape.text('`owner/name` at the supported Git host; an https address of it is understood too.', {
      minLength: 1,
      ...sourceLimits.repository,
    }),
    branch: optional(branchName('Branch that is built, and rebuilt on every push to it.')),
    commit: optional(
      shape.text('Commit to build instead of the head of the branch; pushes then build nothing.', sourceLimits.commit),
    ),
    context: optional(
      shape.text('Root directory of the build; a leading slash means the repository root.', sourceLimits.path),
    ),
    buildfile: optional(
      shape.text('Path of the recipe relative to `context`; `Buildfile` when empty.', sourceLimits.path),
    ),
    waitForCI: shape.flag('Build only after every check run of the commit has succeeded.', { default: false }),
    watchPaths: optional(
      Type.Array(watchPath, {
        description:
          'Globs of the files whose change makes a push count; empty means all. The last one that matches a file decides; `!` leaves files out, and a list that begins with it starts from every file.',
        maxItems: watchPathsAtMost,
      }),
    ),
  },
  { description: 'Builds a repository and runs the image of the build.' },
);

const schedule = Type.Object({
  name: shape.dnsLabel('Name of the schedule.', 63),
  cron: cron('When the function is called, as a cron expression in UTC.'),
});

const serverless = Type.Object(
  {
    runtime: shape.choice('What runs the code.', ['bun', 'node', 'python']),
    code: shape.text('The code.'),
    mode: optional(shape.choice('`http` answers requests, `event` is called by its schedules.', ['http', 'event'])),
    handler: optional(shape.text('The function in the code that is called.')),
    schedules: optional(
      Type.Array(schedule, {
        description: 'When the function is called by itself.',
        maxItems: 100,
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
      }),
    ),
  },
  { description: 'Runs a piece of code without building an image.' },
);

const source = Type.Object(
  {
    image: optional(imageReference('Image to run as it is.', { minLength: 1 })),
    imagePullSecretRef: optional(shape.reference('Secret that nodes pull `image` with.')),
    git: optional(git),
    function: optional(serverless),
  },
  {
    description: 'Where the service comes from: exactly one of `image`, `git` and `function`.',
    'x-kubernetes-validations': [
      {
        // `function` is a reserved word of CEL, so a rule spells it this way.
        rule: '(has(self.image) ? 1 : 0) + (has(self.git) ? 1 : 0) + (has(self.__function__) ? 1 : 0) == 1',
        message: 'exactly one of image, git and function must be set',
      },
    ],
  },
);

const build = Type.Object(
  {
    registry: optional(
      Type.Object(
        {
          repository: optional(
            imageReference("Image reference builds push to, exactly as written; the platform's registry when empty."),
          ),
          credentialRef: optional(shape.reference('Secret with the key `.registryconfigjson`.')),
        },
        { description: 'Where builds push to.' },
      ),
    ),
    cache: shape.flag("Turns on the builder's layer cache.", { default: false }),
    logStoreRef: optional(shape.reference('CoreObjectStore that receives the build logs.')),
  },
  { description: 'How a repository is built.' },
);

const autoscaling = Type.Object(
  {
    enabled: shape.flag('Turns CPU autoscaling on.'),
    min: optional(shape.count('Fewest copies.', { format: 'int32', minimum: 1 })),
    max: optional(shape.count('Most copies.', { format: 'int32', minimum: 1 })),
    cpuPercent: optional(
      shape.count('CPU use, in percent of the request, that copies are added above.', {
        format: 'int32',
        minimum: 1,
        maximum: 100,
      }),
    ),
  },
  {
    description: 'Follows the load with the number of copies.',
    'x-kubernetes-validations': [
      {
        rule: '!has(self.min) || !has(self.max) || self.min <= self.max',
        message: 'max must not be less than min',
        fieldPath: '.max',
      },
    ],
  },
);

const scaleToZero = Type.Object(
  {
    enabled: shape.flag('Stops the service while nobody calls it.'),
    idleSeconds: optional(
      shape.count('Time without a request until it is stopped.', { format: 'int32', minimum: 30, maximum: 86_400 }),
    ),
    maxReplicas: optional(shape.count('Most copies while awake.', { format: 'int32', minimum: 1 })),
  },
  { description: 'Puts the service to sleep while nobody calls it.' },
);

const networking = Type.Object(
  {
    host: optional(hostName('Public host name.')),
    tls: optional(shape.flag('Serves the host over HTTPS.')),
  },
  { description: 'How the service is reached from outside.' },
);

const variables = (description: string) => Type.Record(Type.String(), variableValue(), { description });

const variableName = (description: string) =>
  shape.text(description, { pattern: '^[A-Za-z_][A-Za-z0-9_]*$', maxLength: 253 });

const databaseKeys = ['host', 'port', 'database', 'username', 'password', 'uri'] as const;
const bucketKeys = ['endpoint', 'region', 'bucket', 'accessKeyId', 'secretAccessKey'] as const;
const connection = Type.Object(
  {
    kind: shape.choice('What is connected to.', ['CoreDatabase', 'CoreLogicalDatabase', 'CoreObjectStore']),
    name: shape.text('Name of the database or the bucket, of the same environment.', { minLength: 1 }),
    variable: variableName('Environment variable that holds the value.'),
    key: shape.choice('Key of the connection Secret.', [...databaseKeys, ...bucketKeys]),
  },
  {
    description: 'A value of a connection Secret, as an environment variable.',
    'x-kubernetes-validations': [
      {
        rule: `(self.kind == 'CoreObjectStore') == (self.key in [${bucketKeys.map((key) => `'${key}'`).join(', ')}])`,
        message: `a bucket has the keys ${bucketKeys.join(', ')}, a database ${databaseKeys.join(', ')}`,
      },
    ],
  },
);

/** A service: an image, a repository or a function, run for one environment of a project. */
export const coreApp = defineKind({
  kind: 'CoreApp',
  plural: 'coreapps',
  shortNames: ['ca'],
  describes: 'A service: an image, a repository that is built, or a function, run in one environment of a project.',
  columns: [
    { name: 'Project', type: 'string', jsonPath: '.spec.project' },
    { name: 'Environment', type: 'string', jsonPath: '.spec.environment' },
    { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
    { name: 'Reason', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].reason' },
    { name: 'Cause', type: 'string', jsonPath: '.status.causes[0].reason' },
    { name: 'Build', type: 'string', jsonPath: '.status.currentBuild' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    { name: 'Why', type: 'string', jsonPath: '.status.causes[0].message', priority: 1 },
  ],
  rules: [
    { rule: 'size(self.metadata.name) <= 36', message: 'the name of a service must be no more than 36 characters' },
  ],
  spec: Type.Object({
    project: shape.text('Project ID.', { minLength: 1 }),
    environment: shape.dnsLabel('Environment of the project the service runs in.', 63),
    source,
    build: optional(build),
    port: optional(shape.count('Port the service listens on.', { format: 'int32', minimum: 1, maximum: 65_535 })),
    replicas: optional(shape.count('Number of copies.', { format: 'int32', minimum: 0, maximum: 1000 })),
    resources: optional(resourcesOf('Compute resources of every copy.')),
    autoscaling: optional(autoscaling),
    scaleToZero: optional(scaleToZero),
    networking: optional(networking),
    config: optional(variables('Plain environment variables.')),
    secretData: optional(variables('Secret environment variables written into the spec; prefer `secretRefs`.')),
    secretRefs: optional(
      Type.Array(shape.reference('A Secret.'), { description: 'Secrets whose keys become environment variables.' }),
    ),
    secretVariables: optional(
      variables(
        'Secret environment variables, each with the version of its value; the values are in the Secret `<name>-variables`. Written by the API.',
      ),
    ),
    connectionRefs: optional(
      Type.Array(connection, {
        description: 'Values of connection Secrets that the service reads.',
        maxItems: 64,
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['variable'],
      }),
    ),
    sharedVariableRefs: optional(
      Type.Array(Type.String(), { description: "Names of the environment's shared variables that the service reads." }),
    ),
    deploy: Type.Object(
      { enabled: shape.flag('False while the service is a draft; a deploy sets it.', { default: false }) },
      { description: 'Whether the service runs.', default: {} },
    ),
  }),
  status: Type.Object({
    phase: optional(shape.choice('Where the service stands.', servicePhases)),
    deployRevision: optional(
      shape.text('The deploy that is taken up: the value of the annotation `core.platform/deploy-revision`.'),
    ),
    recordedDeploy: optional(
      shape.text('The newest deploy of the annotation `core.platform/deploys` that has its record.'),
    ),
    takenUpImage: optional(shape.text('The image that is taken up; another one is taken up like a deploy.')),
    targetNamespace: optional(shape.text('Namespace it runs in.')),
    currentBuild: optional(shape.text('The CoreBuild of the settings as they are now.')),
    resolvedImage: optional(shape.text('The image that runs, by digest for a build.')),
    url: optional(shape.text('Public address.')),
    scaleToZero: optional(
      Type.Object(
        {
          active: shape.flag('Whether it sleeps while nobody calls it.'),
          message: optional(shape.text('Why it does not.')),
        },
        { description: 'What became of the wish to sleep; absent while the cluster has not answered.' },
      ),
    ),
    reconcileRetry: optional(reconcileRetry),
    provision: optional(provision),
    conditions: optional(conditions),
    observedGeneration: optional(observedGeneration),
    causes: optional(causes),
    history: optional(history),
  }),
});

export type CoreApp = ObjectOf<typeof coreApp>;
export type AppSpec = CoreApp['spec'];
export type GitSource = NonNullable<AppSpec['source']['git']>;
