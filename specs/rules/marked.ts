import * as fc from 'fast-check';
import type { Param } from '../../crds/kind.ts';
import { type KindName, kindOf } from '../../crds/kinds.ts';
import { type Schema, structural } from '../../crds/schema.ts';
import type { View } from '../../rules/access/needs.ts';
import type { Message } from '../../rules/words.ts';

/** Stand in every text that a viewer may not see, and in every one that an observer may not see either. */
export const hiddenFromViewers = 'm4rk-not-for-viewers';
export const hiddenFromBoth = 'm4rk-not-for-observers';
/** Stands for every number that neither may see. */
export const hiddenNumber = 913_000_913;

const moves = 'seq machine from event to rule by at';
const conditions = 'type status reason lastTransitionTime observedGeneration';
const retry = 'reconcileFailures reconcileFailureStarted reconcileFailureGeneration gaveUp lastFailureAt';

const under = (prefix: string, names: string): readonly string[] => names.split(' ').map((name) => `${prefix}.${name}`);
const verdicts = ['status.observedGeneration', ...under('status.conditions', conditions)];
const judged = [...verdicts, ...under('status.history', moves)];

const causes = [
  ...under('status.causes', 'of reason severity since count lastAt exitCode gaveUp resolved on.kind on.namespace'),
  ...under('status.causes.root', 'kind namespace reason'),
];
const logLine = 'status.causes.logLine';

const provisioned = [
  ...under('status.reconcileRetry', retry),
  ...under('status.provision', 'activeProvisionAttempt buildRef deploymentRef'),
  ...under(
    'status.provision.provisionAttempts',
    'id startedAt completedAt phase errors.recordedAt afterwards.reason afterwards.at afterwards.count',
  ),
];

interface Open {
  readonly viewer: readonly string[];
  /** What an observer is told beside that. */
  readonly observer: readonly string[];
}

/** What each role may see of each kind, written out by hand from the documents; every other field is hidden from both. */
const openFields: Readonly<Record<KindName, Open>> = {
  CoreApp: {
    viewer: [
      ...under('spec', 'project environment port replicas deploy.enabled networking.tls build.cache'),
      ...under('spec.source.git', 'branch commit context buildfile waitForCI watchPaths'),
      ...under('spec.source.function', 'runtime mode handler schedules.name schedules.cron'),
      ...under('spec', 'resources.requests resources.limits'),
      ...under('spec.autoscaling', 'enabled min max cpuPercent'),
      ...under('spec.scaleToZero', 'enabled idleSeconds maxReplicas'),
      ...under(
        'status',
        'phase deployRevision targetNamespace currentBuild recordedDeploy url scaleToZero.active scaleToZero.message',
      ),
      ...provisioned,
      ...causes,
      ...judged,
    ],
    observer: [
      logLine,
      ...under('spec', 'build.logStoreRef.name config secretRefs.name sharedVariableRefs'),
      ...under('spec.connectionRefs', 'kind name variable key'),
    ],
  },
  CoreBackupArchive: {
    viewer: [
      ...under('spec', 'project environment database databaseUID serverName retentionDays deleteAfter'),
      ...under('spec.source', 'storageSize resources.requests resources.limits'),
      ...under('status', 'lastBackupTime recoveryWindowStart recoveryWindowEnd'),
      ...under('status.restorePoints', 'id time'),
      ...judged,
    ],
    observer: [],
  },
  CoreBuild: {
    viewer: [
      ...under('spec', 'app project environment revision branch buildfile context waitForCI cache'),
      ...under('status', 'phase imageDigest sourceRevision ciState ciChecks retryCount startedAt completedAt'),
      ...under('status', 'cancelRequested'),
      ...causes,
      ...judged,
    ],
    observer: [logLine, ...under('spec', 'logStoreRef.name'), ...under('status', 'jobRef logRef lastLogLine')],
  },
  CoreCloudConnection: { viewer: [], observer: [] },
  CoreCluster: {
    viewer: [...under('spec', 'defaultRegion addons.storage addons.serverless overlay'), 'status.nodes', ...verdicts],
    observer: [],
  },
  CoreConsoleSession: { viewer: [], observer: [] },
  CoreDatabase: {
    viewer: [
      ...under('spec', 'project environment placement highAvailability instances storageSize deploy.enabled'),
      ...under('spec', 'resources.requests resources.limits backup.enabled backup.retentionDays'),
      ...under('spec', 'restoreFrom.archive restoreFrom.restorePoint restoreFrom.time runOn.tags serverRegion'),
      ...under('status', 'phase deployRevision targetNamespace restoredAt'),
      ...under('status.backup', 'state archive lastBackupTime recoveryWindowStart'),
      ...provisioned,
      ...causes,
      ...judged,
    ],
    observer: [logLine],
  },
  CoreDeployment: {
    viewer: [
      ...under('spec', 'app project environment replicas source actor commit buildRef trigger rollbackRef'),
      ...under('status', 'phase startedAt completedAt availableReplicas healthCheck'),
      ...judged,
    ],
    observer: ['spec.eventLogRef'],
  },
  CoreGitHostConnection: { viewer: [], observer: [] },
  CoreHAReadiness: {
    viewer: ['spec.requestedAt', ...under('status', 'healthyNodes checkedAt'), ...verdicts],
    observer: [],
  },
  CoreLogicalDatabase: {
    viewer: [
      ...under('spec', 'project environment serverRef connectionLimit'),
      'status.phase',
      ...provisioned,
      ...causes,
      ...judged,
    ],
    observer: [logLine, 'status.jobName'],
  },
  CoreNetworkLog: { viewer: [], observer: [] },
  CoreNode: {
    viewer: [...under('spec', 'region tags reserved'), 'status.phase', ...verdicts],
    observer: [],
  },
  CoreObjectStore: {
    viewer: [
      ...under('spec', 'project environment mode serverRef.name region storageSize deploy.enabled'),
      ...under('status', 'phase deployRevision'),
      ...provisioned,
      ...causes,
      ...judged,
    ],
    observer: [logLine],
  },
  CorePlatformConfig: {
    viewer: [
      ...under('spec', 'dashboardExposure defaultClusterRef.name'),
      ...under('status', 'domainState dnsProviderState'),
      ...under('status.domain', 'generation pendingSince dns'),
      ...under('status.dnsProvider', 'zone dashboardRecord'),
      ...judged,
    ],
    observer: [],
  },
  CoreProject: {
    viewer: [
      ...under('spec', 'displayName clusterRef.name region requiredTags environments'),
      ...under('spec', 'network.isolation network.allowFromProjects'),
      ...under('spec.prEnvironments', 'enabled baseEnvironment maxOpen'),
      ...under('status', 'phase clusterRef.name environments.name environments.namespace'),
      ...under('status.reconcileRetry', retry),
      ...under('status.pullRequests', 'number branch targetBranch environment openedAt closedAt'),
      ...causes,
      ...judged,
    ],
    observer: [
      logLine,
      ...under('spec.sharedVariables', 'name environment value'),
      ...under('spec.sharedVariables.secretRef', 'name key optional'),
    ],
  },
};

/** Fields of which names are told to observers and values to nobody. */
const named: readonly string[] = ['CoreApp spec.secretData', 'CoreApp spec.secretVariables'];
/** Hidden in the spec, and told to everybody in the public address that is derived from it (decision 12). */
const published: readonly string[] = ['CoreApp spec.networking.host'];

const tokens: Readonly<Record<string, readonly string[]>> = {
  machine: ['build', 'other'],
  type: ['Ready', 'Other'],
  from: ['Pending', 'Running'],
  to: ['Pending', 'Failed'],
  event: ['jobFailed', 'connectionNotReady', 'registryMissing', 'somethingElse'],
  phase: ['', 'Pending', 'WaitingForCI', 'Running', 'Succeeded', 'Failed', 'Cancelled'],
};

interface Spot {
  readonly kind: KindName;
  readonly path: string;
}

const last = (path: string) => path.slice(path.lastIndexOf('.') + 1);
const isOpenTo = (role: keyof Open, { kind, path }: Spot) => openFields[kind][role].includes(path);
const markOf = (spot: Spot): string | null =>
  isOpenTo('viewer', spot) ? null : isOpenTo('observer', spot) ? hiddenFromViewers : hiddenFromBoth;

function textOf(schema: Schema, spot: Spot): fc.Arbitrary<string> {
  const mark = markOf(spot);
  const around = fc.constantFrom('', 'a-', 'see ');
  if (published.includes(`${spot.kind} ${spot.path}`)) return fc.constant('shop.example.com');
  if (mark !== null) return fc.tuple(around, around).map(([before, after]) => `${before}${mark}${after}`);
  if (schema.format === 'date-time') return fc.constantFrom('2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z');
  const words = schema.enum ?? tokens[last(spot.path)] ?? [`open-${last(spot.path)}`];
  return fc.constantFrom(...words);
}

function recordOf(schema: Schema, spot: Spot): fc.Arbitrary<unknown> {
  const isNamed = named.includes(`${spot.kind} ${spot.path}`);
  const mark = isNamed ? hiddenFromViewers : markOf(spot);
  const name = mark === null ? fc.constantFrom('cpu', 'memory') : fc.constantFrom(`A_${mark}`, `B_${mark}`);
  return fc.dictionary(name, isNamed ? fc.constant(`x${hiddenFromBoth}`) : drawn(schema, spot), { maxKeys: 2 });
}

/** What an object of a cluster never lacks: required fields, and those with a default. */
const alwaysIn = ({ required = [], properties = {} }: Schema): string[] => [
  ...required,
  ...Object.keys(properties).filter((name) => properties[name]?.default !== undefined),
];

const piece = (to: View): fc.Arbitrary<{ readonly value: string; readonly to: View | null }> => {
  const value = { viewer: 'open', observer: `x${hiddenFromViewers}`, whole: `x${hiddenFromBoth}` }[to];
  return fc.constant({ value, to });
};
const plainPiece = fc.constantFrom(' waits for ', ' and ', '').map((value) => ({ value, to: null }));
const sentenceParts = fc.array(fc.oneof(plainPiece, piece('viewer'), piece('observer'), piece('whole')), {
  maxLength: 6,
});

/** A sentence of words that everybody may read and of parameters, or one of which nobody may read anything. */
const said: fc.Arbitrary<Message> = fc.oneof(
  fc.constantFrom('', 'see ').map((before) => ({ text: `${before}${hiddenFromBoth}` })),
  sentenceParts.map((parts) => {
    let text = '';
    const params: Param[] = [];
    for (const { value, to } of parts) {
      if (to !== null) params.push({ name: 'what', value, to, at: text.length });
      text += value;
    }
    return { text, params };
  }),
  // Parameters that are not those of the text.
  fc.constantFrom(0, 1, 1_000).map((at) => ({
    text: `see ${hiddenFromBoth}`,
    params: [{ name: 'what', value: 'open', to: 'viewer' as const, at }],
  })),
);

/** Where a sentence stands beside its parameters, they are of each other. */
const withSaid = (fields: Record<string, unknown>, field: string, { text, params }: Message) => {
  const { params: _, ...rest } = fields;
  return { ...rest, [field]: text, ...(params === undefined ? {} : { params }) };
};

function recordWith(schema: Schema, spot: Spot): fc.Arbitrary<unknown> {
  const { properties = {} } = schema;
  const drawnFields = fc.record(
    Object.fromEntries(
      Object.entries(properties).map(([name, inner]) => [
        name,
        drawn(inner, { kind: spot.kind, path: `${spot.path}.${name}` }),
      ]),
    ),
    { requiredKeys: alwaysIn(schema), noNullPrototype: true },
  );
  if (properties['params'] === undefined) return drawnFields;
  const field = properties['text'] === undefined ? 'message' : 'text';
  return fc.tuple(drawnFields, said).map(([fields, one]) => withSaid(fields, field, one));
}

/** A value of a schema, with a mark in all that somebody may not see of it. */
function drawn(schema: Schema, spot: Spot): fc.Arbitrary<unknown> {
  if (schema.additionalProperties) return recordOf(schema.additionalProperties, spot);
  switch (schema.type) {
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return markOf(spot) === null ? fc.integer({ min: 1, max: 99 }) : fc.constant(hiddenNumber);
    case 'array':
      return fc.array(drawn(schema.items ?? {}, spot), { maxLength: 3 });
    case 'object':
      return recordWith(schema, spot);
    default:
      return textOf(schema, spot);
  }
}

export interface Marked {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
  };
  readonly spec: Readonly<Record<string, unknown>>;
  readonly status: Readonly<Record<string, unknown>>;
}

/** An object of a kind with marks; an annotation that `kubectl apply` leaves repeats what is hidden. */
export function marked(kind: KindName, name: string): fc.Arbitrary<Marked> {
  const { spec, status } = kindOf(kind);
  return fc
    .record({
      spec: drawn(structural(spec), { kind, path: 'spec' }),
      status: drawn(structural(status), { kind, path: 'status' }),
      paused: fc.boolean(),
    })
    .map(
      (object) =>
        ({
          metadata: {
            name,
            namespace: 'core-system',
            labels: { 'core.platform/project': 'demo', theirs: hiddenFromBoth },
            annotations: {
              'kubectl.kubernetes.io/last-applied-configuration': hiddenFromBoth,
              ...(object.paused ? { 'core.platform/paused': 'true' } : {}),
            },
          },
          spec: object.spec,
          status: object.status,
        }) as Marked,
    );
}

/** Every open field that an object holds for a role, as `path=value`; lists are of their items. */
export function openIn(kind: KindName, role: keyof Open, { spec, status }: Pick<Marked, 'spec' | 'status'>) {
  const paths = [...openFields[kind].viewer, ...(role === 'observer' ? openFields[kind].observer : [])];
  return paths.flatMap((path) =>
    at({ spec, status }, path.split('.')).map((value) => `${path}=${JSON.stringify(value)}`),
  );
}

function at(value: unknown, [name, ...rest]: readonly string[]): readonly unknown[] {
  if (name === undefined) return [value];
  if (Array.isArray(value)) return value.flatMap((item) => at(item, [name, ...rest]));
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return [];
  return at((value as Readonly<Record<string, unknown>>)[name], rest);
}
