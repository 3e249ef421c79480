import type { View } from '../access/needs.ts';
import type { ActiveDeploymentFacts } from '../activeDeployment/facts.ts';
import type { BackupArchiveFacts } from '../backupArchive/facts.ts';
import type { BuildFacts } from '../build/facts.ts';
import type { DatabaseBackupFacts } from '../databaseBackup/facts.ts';
import type { DashboardDomainFacts } from '../dashboardDomainReady/facts.ts';
import type { DnsProviderFacts } from '../dnsProviderReady/facts.ts';
import type { DeploymentRecordFacts } from '../deploymentRecord/facts.ts';
import type { Fact } from '../fact.ts';
import type { DraftDeployFacts } from '../draftDeploy/facts.ts';
import type { LogicalDatabaseFacts } from '../logicalDatabase/facts.ts';
import type { ObjectStoreFacts } from '../objectStore/facts.ts';
import type { ProjectReadyFacts } from '../projectReady/facts.ts';
import type { ProvisionRetryFacts } from '../provisionRetry/facts.ts';
import type { ServiceFacts } from '../service/facts.ts';
import { copyOf, isVisible } from './copy.ts';
import type { Fields, Leaf, NodeOf, Redacted } from './fields.ts';

type ValueOf<F> = F extends Fact<infer Value> ? Value : F;
type FactRows<Facts> = { readonly [K in keyof Facts]?: NodeOf<NonNullable<ValueOf<Facts[K]>>> };

const answer = { is: 'viewer', code: 'viewer', until: 'viewer', status: 'hidden', why: 'hidden' } as const;

/** The visible facts of a build: fields of its spec that are hidden from a view are hidden here too. */
const buildFacts: FactRows<BuildFacts> = {
  now: 'viewer',
  phase: 'viewer',
  run: 'viewer',
  cancelRequested: 'viewer',
  resetFrom: 'viewer',
  registry: 'hidden',
  context: 'viewer',
  buildfile: 'viewer',
  revision: 'viewer',
  sourceRevision: 'viewer',
  waitForCI: 'viewer',
  connectionRef: 'hidden',
  connection: 'hidden',
  commit: { ...answer, value: 'viewer' },
  checks: { ...answer, value: { name: 'viewer', status: 'viewer', conclusion: 'viewer' } },
  job: { is: 'viewer', run: 'viewer', outcome: 'viewer', failedPods: 'viewer' },
  // Observers may read about pods and logs.
  hindrance: { is: 'viewer', pod: 'observer', container: 'viewer', reason: 'viewer', says: 'observer' },
  digest: 'viewer',
  log: 'observer',
};

/** Hosts and their targets are visible only in the whole view. */
const domainFacts: FactRows<DashboardDomainFacts> = {
  now: 'viewer',
  generation: 'viewer',
  checkedGeneration: 'viewer',
  pendingSince: 'viewer',
  rootDomain: 'hidden',
  host: 'hidden',
  exposure: 'viewer',
  tunnelHostname: 'hidden',
  secret: 'hidden',
  credentials: 'viewer',
  serviceFound: 'viewer',
  issuerReason: 'viewer',
  cause: 'hidden',
  probe: { is: 'viewer', why: 'hidden' },
  nodes: 'viewer',
  zone: 'viewer',
  dns: { is: 'viewer', why: 'hidden' },
};

const providerFacts: FactRows<DnsProviderFacts> = {
  now: 'viewer',
  secret: 'hidden',
  missingKeys: 'viewer',
  exposure: 'viewer',
  rootDomain: 'hidden',
  provider: {
    credentials: 'viewer',
    failure: 'hidden',
    due: 'hidden',
    stage: 'viewer',
    zone: 'viewer',
    tunnelID: 'hidden',
    routes: 'hidden',
    dashboardRecord: 'viewer',
  },
  failure: 'hidden',
  limitedUntil: 'viewer',
};

/** Names of shared variables, and the cause of a refused write, are visible only in the whole view of the project. */
const projectFacts: FactRows<ProjectReadyFacts> = {
  now: 'viewer',
  project: 'viewer',
  deleted: 'viewer',
  environments: 'viewer',
  // Names of objects hidden from viewers are hidden here, too.
  remaining: { is: 'viewer', name: 'viewer', everything: 'viewer', left: { kind: 'viewer' } },
  clusterRef: 'viewer',
  observedClusterRef: 'viewer',
  cluster: 'viewer',
  namespaces: { name: 'viewer', is: 'viewer', isWhole: 'viewer' },
  missingPieces: 'viewer',
  contested: 'hidden',
  failure: 'hidden',
  missingVariables: 'hidden',
  terminating: { name: 'viewer', finalizers: 'viewer', why: 'hidden' },
  retry: 'viewer',
};

/** Names of paths and nodes, and what a command sets, are visible only in the whole view of a resource. */
const draftDeployFacts: FactRows<DraftDeployFacts> = {
  now: 'viewer',
  kind: 'viewer',
  stored: { enabled: 'viewer', workflow: 'viewer', pending: 'viewer', snapshot: 'viewer' },
  deleted: 'viewer',
  asked: 'hidden',
  changed: 'hidden',
  differing: 'hidden',
  room: 'hidden',
};

const provisionRetryFacts: FactRows<ProvisionRetryFacts> = {
  now: 'viewer',
  asked: 'viewer',
  deleted: 'viewer',
  generation: 'viewer',
  redeployed: 'viewer',
  rowOf: 'viewer',
  failures: 'viewer',
  startedAt: 'viewer',
  failedGeneration: 'viewer',
  lastFailureAt: 'viewer',
  countedKind: 'hidden',
  outcome: 'hidden',
};

/** As in the spec: sources are hidden, and observers read the databases that it uses. */
const serviceFacts: FactRows<ServiceFacts> = {
  now: 'viewer',
  deleted: 'viewer',
  gate: 'viewer',
  retry: { state: 'viewer', event: 'viewer' },
  around: {
    source: 'viewer',
    project: { name: 'viewer', is: 'viewer' },
    environment: 'viewer',
    cluster: { name: 'hidden', ready: 'viewer' },
    connection: 'hidden',
    secret: 'hidden',
    registry: 'hidden',
    image: 'hidden',
    databases: { name: 'observer', is: 'observer' },
    buckets: { name: 'observer', is: 'observer' },
    missing: 'hidden',
    workload: 'viewer',
    pods: 'viewer',
    attempting: 'viewer',
    attemptOfDeploy: 'viewer',
    build: 'viewer',
    isCodeTooLong: 'viewer',
    notActed: 'viewer',
    room: { nodes: 'viewer', crowded: 'hidden' },
    region: 'hidden',
    tags: 'hidden',
    contested: 'hidden',
    failure: 'hidden',
  },
  remains: 'viewer',
};

/** As its spec: the name on the server is hidden. */
const logicalDatabaseFacts: FactRows<LogicalDatabaseFacts> = {
  now: 'viewer',
  deletedAt: 'viewer',
  retry: { state: 'viewer', event: 'viewer' },
  attempt: 'viewer',
  finalizer: 'viewer',
  around: {
    project: 'viewer',
    environment: 'viewer',
    projectSeen: 'viewer',
    serverName: 'viewer',
    server: 'hidden',
    databaseName: 'hidden',
    movedFrom: 'hidden',
    heldByOther: 'viewer',
    created: 'viewer',
    connection: 'viewer',
    adminLogin: 'viewer',
    job: 'viewer',
    connected: 'viewer',
    contested: 'hidden',
    failure: 'hidden',
  },
  createJobLeft: 'viewer',
  dropJob: 'viewer',
  asked: 'viewer',
};

/** The address of a bucket, and messages of the cloud, are hidden as in the spec. */
const objectStoreFacts: FactRows<ObjectStoreFacts> = {
  now: 'viewer',
  deleted: 'viewer',
  gate: 'viewer',
  retry: { state: 'viewer', event: 'viewer' },
  around: {
    mode: 'viewer',
    unsupported: 'hidden',
    movedFrom: 'hidden',
    environment: 'viewer',
    project: { name: 'viewer', is: 'viewer' },
    cloud: 'hidden',
    server: { name: 'hidden', is: 'viewer' },
    lackingTags: 'hidden',
    bucket: 'hidden',
    failure: 'hidden',
    isCurrent: 'viewer',
    runs: 'viewer',
  },
  usedBy: 'hidden',
  remains: 'viewer',
};

const recordFacts: FactRows<DeploymentRecordFacts> = {
  now: 'viewer',
  app: 'viewer',
  deployedAt: 'viewer',
  newer: 'viewer',
};

const activeFacts: FactRows<ActiveDeploymentFacts> = {
  now: 'viewer',
  deployed: 'viewer',
  workload: { wanted: 'viewer', available: 'viewer' },
  asleep: 'viewer',
};
/** The location of backups, messages of the cloud, and engines are hidden as in the spec. */
const databaseBackupFacts: FactRows<DatabaseBackupFacts> = {
  now: 'viewer',
  enabled: 'viewer',
  engine: 'hidden',
  placement: 'hidden',
  project: 'viewer',
  projectStorage: 'hidden',
  archive: 'viewer',
  storage: 'hidden',
  backups: { finished: 'viewer', changesSaved: 'hidden', latestFailed: 'viewer' },
};

const backupArchiveFacts: FactRows<BackupArchiveFacts> = {
  now: 'viewer',
  deleteAfter: 'viewer',
  owner: 'viewer',
  folderInUse: 'viewer',
  restoring: 'viewer',
  connectionName: 'hidden',
  connection: 'hidden',
  folder: 'hidden',
  serverName: 'viewer',
  earlier: 'viewer',
  projectStorage: 'hidden',
};

const byMachine: Readonly<Record<string, Fields>> = {
  build: buildFacts,
  databaseBackup: databaseBackupFacts,
  backupArchive: backupArchiveFacts,
  projectReady: projectFacts,
  dashboardDomainReady: domainFacts,
  dnsProviderReady: providerFacts,
  draftDeploy: draftDeployFacts,
  provisionRetry: provisionRetryFacts,
  service: serviceFacts,
  logicalDatabase: logicalDatabaseFacts,
  objectStore: objectStoreFacts,
  deploymentRecord: recordFacts,
  activeDeployment: activeFacts,
};

type Facts = Readonly<Record<string, Fact<unknown>>>;

/**
 * The facts of a decision that a view may read; none for a machine without a row. The reason of an unknown fact is
 * hidden, because it may contain anything.
 */
export function visibleFacts(machine: string, facts: Facts, view: View): Facts {
  if (view === 'whole') return facts;
  const rows = Object.hasOwn(byMachine, machine) ? (byMachine[machine] ?? {}) : {};
  const visible = Object.entries(rows).flatMap(([name, of]): readonly (readonly [string, Fact<unknown>])[] => {
    const fact = facts[name];
    if (fact === undefined || !isVisible(of, view)) return [];
    if (fact.is === 'unknown') return [[name, { is: 'unknown', why: '' }]];
    return [[name, fact.is === 'known' ? { is: 'known', value: valueOf(of, fact.value, view) } : fact]];
  });
  return Object.fromEntries(visible);
}

const valueOf = (of: Leaf | Fields, value: unknown, view: Redacted): unknown =>
  (copyOf({ value: of }, { value }, view) as { readonly value?: unknown }).value;
