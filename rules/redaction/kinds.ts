import type { HistoryEntry } from '../../crds/kind.ts';
import type { KindName, ObjectNamed } from '../../crds/kinds.ts';
import type { Provision, ReconcileRetry } from '../../crds/provisioning.ts';
import type { View } from '../access/needs.ts';
import type { Condition } from '../condition.ts';
import type { FieldsOf } from './fields.ts';

/** The visible parts of the objects of a kind, for callers that do not read it whole. */
export interface KindRow<Name extends KindName = KindName> {
  /** The least view whose lists include it. */
  readonly listed: View;
  readonly spec: FieldsOf<ObjectNamed<Name>['spec']>;
  readonly status: FieldsOf<NonNullable<ObjectNamed<Name>['status']>>;
}

const conditions = {
  type: 'viewer',
  status: 'viewer',
  reason: 'viewer',
  message: 'message in words',
  lastTransitionTime: 'viewer',
  observedGeneration: 'viewer',
} as const satisfies FieldsOf<Condition>;

const history = {
  seq: 'viewer',
  machine: 'viewer',
  from: 'viewer',
  event: 'viewer',
  to: 'viewer',
  rule: 'viewer',
  by: 'viewer',
  at: 'viewer',
  text: 'move in words',
} as const satisfies FieldsOf<HistoryEntry>;

const reconcileRetry = {
  reconcileFailures: 'viewer',
  reconcileFailureStarted: 'viewer',
  reconcileFailureGeneration: 'viewer',
  gaveUp: 'viewer',
  lastFailureAt: 'viewer',
  lastFailureKind: 'hidden',
} as const satisfies FieldsOf<ReconcileRetry>;

const provision = {
  activeProvisionAttempt: 'viewer',
  provisionAttempts: {
    id: 'viewer',
    startedAt: 'viewer',
    completedAt: 'viewer',
    phase: 'viewer',
    summary: 'hidden',
    errors: { recordedAt: 'viewer', message: 'hidden' },
  },
  buildRef: 'viewer',
  deploymentRef: 'viewer',
} as const satisfies FieldsOf<Provision>;

const resources = { requests: 'entries to viewers', limits: 'entries to viewers' } as const;
const reference = { name: 'viewer' } as const;
const referenceToLogs = { name: 'observer' } as const;

/**
 * Document 002, Users, roles and tokens: a viewer sees no variable values, hostnames in spec, repository names,
 * connections, backup storage, project webhooks, logs or secrets; an observer sees the same, and logs, pods, the names of
 * variables and plain values. Document 001, Authentication; decision 12: the public address in status stays visible.
 * An image reference holds both the host of a registry and the name of a repository, so it is neither's.
 */
export const kindRows: { readonly [Name in KindName]: KindRow<Name> } = {
  CoreApp: {
    listed: 'viewer',
    spec: {
      project: 'viewer',
      environment: 'viewer',
      source: {
        image: 'hidden',
        imagePullSecretRef: 'hidden',
        git: {
          repository: 'hidden',
          branch: 'viewer',
          commit: 'viewer',
          context: 'viewer',
          buildfile: 'viewer',
          waitForCI: 'viewer',
          watchPaths: 'viewer',
        },
        // Code may hold whatever a repository holds.
        function: {
          runtime: 'viewer',
          code: 'hidden',
          mode: 'viewer',
          handler: 'viewer',
          schedules: { name: 'viewer', cron: 'viewer' },
        },
      },
      build: { registry: 'hidden', cache: 'viewer', logStoreRef: referenceToLogs },
      port: 'viewer',
      replicas: 'viewer',
      resources,
      autoscaling: { enabled: 'viewer', min: 'viewer', max: 'viewer', cpuPercent: 'viewer' },
      scaleToZero: { enabled: 'viewer', idleSeconds: 'viewer', maxReplicas: 'viewer' },
      networking: { host: 'hidden', tls: 'viewer' },
      config: 'entries to observers',
      secretData: 'names to observers',
      secretRefs: { name: 'observer' },
      secretVariables: 'names to observers',
      connectionRefs: { kind: 'observer', name: 'observer', variable: 'observer', key: 'observer' },
      sharedVariableRefs: 'observer',
      deploy: { enabled: 'viewer' },
    },
    status: {
      phase: 'viewer',
      deployRevision: 'viewer',
      takenUpImage: 'hidden',
      targetNamespace: 'viewer',
      currentBuild: 'viewer',
      resolvedImage: 'hidden',
      url: 'viewer',
      scaleToZero: { active: 'viewer', message: 'viewer' },
      reconcileRetry,
      provision,
      conditions,
      history,
    },
  },
  // Redacted views read an archive without its storage (document 001, Endpoints) and without the description of its
  // database.
  CoreBackupArchive: {
    listed: 'viewer',
    spec: {
      project: 'viewer',
      environment: 'viewer',
      database: 'viewer',
      databaseUID: 'viewer',
      serverName: 'viewer',
      storage: 'hidden',
      retentionDays: 'viewer',
      source: { engine: 'hidden', version: 'hidden', databaseName: 'hidden', storageSize: 'viewer', resources },
      deleteAfter: 'viewer',
    },
    status: {
      lastBackupTime: 'viewer',
      recoveryWindowStart: 'viewer',
      recoveryWindowEnd: 'viewer',
      restorePoints: { id: 'viewer', time: 'viewer' },
      conditions,
      history,
    },
  },
  CoreBuild: {
    listed: 'viewer',
    spec: {
      app: 'viewer',
      project: 'viewer',
      environment: 'viewer',
      repository: 'hidden',
      revision: 'viewer',
      branch: 'viewer',
      buildfile: 'viewer',
      context: 'viewer',
      waitForCI: 'viewer',
      connectionRef: 'hidden',
      gitCredentialRef: 'hidden',
      registry: 'hidden',
      credentialRef: 'hidden',
      cache: 'viewer',
      logStoreRef: referenceToLogs,
    },
    status: {
      phase: 'viewer',
      jobRef: 'observer',
      image: 'hidden',
      imageDigest: 'viewer',
      sourceRevision: 'viewer',
      ciState: 'viewer',
      ciChecks: 'viewer',
      logRef: 'observer',
      failureReason: 'failure in words',
      retryCount: 'viewer',
      startedAt: 'viewer',
      completedAt: 'viewer',
      head: 'hidden',
      deliveries: 'hidden',
      cancelRequested: 'viewer',
      lastLogLine: 'observer',
      conditions,
      history,
    },
  },
  // Connections are hidden from redacted views entirely.
  CoreCloudConnection: { listed: 'whole', spec: {}, status: {} },
  CoreCluster: {
    listed: 'viewer',
    spec: {
      defaultRegion: 'viewer',
      acmeEmail: 'hidden',
      addons: { storage: 'viewer', serverless: 'viewer' },
      overlay: 'viewer',
    },
    status: { publicIPs: 'hidden', nodes: 'viewer', conditions },
  },
  // So are terminals.
  CoreConsoleSession: { listed: 'whole', spec: {}, status: {} },
  // Without engine, host, user, password reference and connection details (document 001, Authentication).
  CoreDatabase: {
    listed: 'viewer',
    spec: {
      project: 'viewer',
      environment: 'viewer',
      engine: 'hidden',
      placement: 'viewer',
      provider: 'hidden',
      mode: 'hidden',
      highAvailability: 'viewer',
      connectionRef: 'hidden',
      databaseName: 'hidden',
      externalHost: 'hidden',
      externalPort: 'hidden',
      clusterSize: 'hidden',
      username: 'hidden',
      passwordSecretRef: 'hidden',
      version: 'hidden',
      instances: 'viewer',
      storageSize: 'viewer',
      resources,
      deploy: { enabled: 'viewer' },
      backup: { enabled: 'viewer', retentionDays: 'viewer' },
      restoreFrom: { archive: 'viewer', restorePoint: 'viewer', time: 'viewer' },
      runOn: { tags: 'viewer' },
      serverRegion: 'viewer',
    },
    status: {
      phase: 'viewer',
      deployRevision: 'viewer',
      targetNamespace: 'viewer',
      connectionSecret: 'hidden',
      host: 'hidden',
      restoredAt: 'viewer',
      backup: {
        state: 'viewer',
        message: 'hidden',
        archive: 'viewer',
        lastBackupTime: 'viewer',
        recoveryWindowStart: 'viewer',
      },
      managed: 'hidden',
      reconcileRetry,
      provision,
      conditions,
      history,
    },
  },
  // An image reference, and messages that contain it, name a repository.
  CoreDeployment: {
    listed: 'viewer',
    spec: {
      app: 'viewer',
      project: 'viewer',
      environment: 'viewer',
      image: 'hidden',
      replicas: 'viewer',
      changeTitle: 'hidden',
      source: 'viewer',
      actor: 'viewer',
      commit: 'viewer',
      buildRef: 'viewer',
      imageDigest: 'hidden',
      trigger: 'viewer',
      eventLogRef: 'observer',
      rollbackRef: 'viewer',
    },
    status: {
      phase: 'viewer',
      startedAt: 'viewer',
      completedAt: 'viewer',
      availableReplicas: 'viewer',
      healthCheck: 'viewer',
      conditions,
      history,
    },
  },
  CoreGitHostConnection: { listed: 'whole', spec: {}, status: {} },
  CoreHAReadiness: {
    listed: 'viewer',
    spec: { requestedAt: 'viewer' },
    status: { healthyNodes: 'viewer', checkedAt: 'viewer', conditions },
  },
  CoreLogicalDatabase: {
    listed: 'viewer',
    spec: {
      project: 'viewer',
      environment: 'viewer',
      serverRef: 'viewer',
      databaseName: 'hidden',
      connectionLimit: 'viewer',
    },
    status: {
      connectionSecret: 'hidden',
      jobName: 'observer',
      database: 'hidden',
      username: 'hidden',
      reconcileRetry,
      provision,
      conditions,
      history,
    },
  },
  // Its fields are open, so they may contain anything.
  CoreNetworkLog: { listed: 'whole', spec: {}, status: {} },
  CoreNode: {
    listed: 'viewer',
    spec: {
      address: 'hidden',
      user: 'hidden',
      sshKeySecretRef: 'hidden',
      region: 'viewer',
      tags: 'viewer',
      reserved: 'viewer',
    },
    status: { phase: 'viewer', conditions },
  },
  CoreObjectStore: {
    listed: 'viewer',
    spec: {
      project: 'viewer',
      environment: 'viewer',
      mode: 'viewer',
      serverRef: reference,
      bucket: 'hidden',
      connectionRef: 'hidden',
      region: 'viewer',
      storageSize: 'viewer',
      deploy: { enabled: 'viewer' },
    },
    status: {
      bucket: 'hidden',
      endpoint: 'hidden',
      credentialSecret: 'hidden',
      reconcileRetry,
      provision,
      conditions,
      history,
    },
  },
  CorePlatformConfig: {
    listed: 'viewer',
    spec: {
      rootDomain: 'hidden',
      dashboardURL: 'hidden',
      dashboardExposure: 'viewer',
      tunnelCNAMETarget: 'hidden',
      dnsConnectionRef: 'hidden',
      dnsZoneID: 'hidden',
      gitAppRef: 'hidden',
      prometheusURL: 'hidden',
      defaultClusterRef: reference,
      registry: 'hidden',
      defaultDomain: 'hidden',
      traefikAccessLogs: 'hidden',
    },
    status: { tunnelID: 'hidden', conditions, history },
  },
  CoreProject: {
    listed: 'viewer',
    spec: {
      displayName: 'viewer',
      clusterRef: reference,
      region: 'viewer',
      requiredTags: 'viewer',
      environments: 'viewer',
      // Observers read plain values (document 001, Authentication), together with their names.
      sharedVariables: {
        name: 'observer',
        environment: 'observer',
        value: 'plain to observers',
        secretRef: { name: 'observer', key: 'observer', optional: 'observer' },
      },
      gitConnectionRef: 'hidden',
      webhooks: 'hidden',
      prEnvironments: { enabled: 'viewer', baseEnvironment: 'viewer', maxOpen: 'viewer' },
      backupStorage: 'hidden',
      network: { isolation: 'viewer', allowFromProjects: 'viewer' },
    },
    status: {
      phase: 'viewer',
      clusterRef: reference,
      environments: { name: 'viewer', namespace: 'viewer' },
      conditions,
      reconcileRetry,
      webhookDeliveries: 'hidden',
      pullRequests: {
        number: 'viewer',
        repository: 'hidden',
        branch: 'viewer',
        environment: 'viewer',
        url: 'hidden',
        openedAt: 'viewer',
      },
      history,
    },
  },
};
