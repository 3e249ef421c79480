/** Names that are fixed for the whole program. */
export const program = 'core';
export const group = 'core.platform';
export const version = 'v1alpha1';
export const apiVersion = `${group}/${version}`;
export const systemNamespace = 'core-system';
export const managedBy = 'core';
/** The namespace of the serverless add-on: KEDA with its HTTP add-on. */
export const serverlessNamespace = 'core-serverless';
/** The ServiceAccount that the operator runs as, in core-system. */
export const operatorAccount = 'core';

/**
 * Namespaces of the platform, which can reach every project: Kubernetes' own, where the ingress controller runs, ours,
 * that of the metrics, of the Postgres operator, and of the serverless add-on.
 */
export const platformNamespaces = [
  'kube-system',
  systemNamespace,
  'monitoring',
  'cnpg-system',
  serverlessNamespace,
] as const;

/** The key of a Core label or annotation: `core.platform/<name>`. */
export const key = <N extends string>(name: N) => `${group}/${name}` as const;

export const label = {
  app: key('app'),
  name: key('name'),
  kind: key('kind'),
  managedBy: key('managed-by'),
  systemNamespace: key('system-namespace'),
  project: key('project'),
  environment: key('environment'),
  cluster: key('cluster'),
  region: key('region'),
  logicalDatabase: key('logical-database'),
  logicalDatabaseRole: key('logical-database-role'),
} as const;

export const annotation = {
  run: key('run'),
  paused: key('paused'),
  lookAt: key('look-at'),
  move: key('move'),
  displayName: key('display-name'),
  address: key('address'),
  podLog: key('log'),
  tokenExpiresAt: key('token-expires-at'),
  tokenHash: key('token-hash'),
  requiredTags: key('required-tags'),
  /** On a definition: the tag of the release that it is of. */
  release: key('release'),
  /** On a project: the requested deletion of itself or of environments, with all contents. */
  deletion: key('deletion'),
  /** On pods, `off`: their logs are not shipped to the shared log store. */
  logShipping: key('log-shipping'),
  /** On objects that Core owns: the hash of the applied object, and the uid of the owner it was created for. */
  applied: key('applied'),
  ownerUid: key('owner-uid'),
  /** On an owner, `true`: it adopts the objects of an earlier owner of the same name, for example after a restore. */
  adopt: key('adopt'),
  deployWorkflow: key('deploy-workflow'),
  deployRevision: key('deploy-revision'),
  /** On a service: its deploy whose end has not been sent to the project's webhooks. */
  announcedDeploy: key('announced-deploy'),
  pendingChanges: key('pending-changes'),
  pendingUpdates: key('pending-updates'),
  lastDeployed: key('last-deployed'),
  /** On a deployed owner: the deploys without a record. */
  deploys: key('deploys'),
  /** On the record of a deploy: the time of the deploy. */
  deployedAt: key('deployed-at'),
  /** On pods: the variables they started with. */
  variables: key('variables'),
  /** On a Deployment: the template being rolled out, and whether no surge pod fits. */
  rollout: key('rollout'),
  templateAdditions: key('template-additions'),
  /** On pods of a function: the code they started with. */
  code: key('code'),
  defaultHost: key('default-host'),
  storageClass: key('storage-class'),
  /** On a console session: its pod. */
  podUid: key('pod-uid'),
  nodePlacement: key('node-placement'),
  /** On a service or database in a pull request environment: its original. */
  copyOf: key('copy-of'),
  /** On a database: the backup from which it was first provisioned. */
  restoredFrom: key('restored-from'),
  /** On the Secret of a bucket: its connection, and when its key was issued. */
  cloudConnection: key('cloud-connection'),
  keyIssuedAt: key('key-issued-at'),
} as const;

/** The label that Kubernetes sets on the pods of a Job. */
export const jobNameLabel = 'batch.kubernetes.io/job-name';

/** The label that Kubernetes sets on a namespace with its name. */
export const namespaceNameLabel = 'kubernetes.io/metadata.name';

/** The Secret in the environment by which services reach a bucket. */
export const bucketSecretName = (store: string): string => `${store}-bucket`;
