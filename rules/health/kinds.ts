/** How the states of a kind are read: the phases that have a meaning of their own, and what the others depend on. */
export interface KindHealth {
  /** Phases in which nothing happens until somebody deploys. */
  readonly suspended?: readonly string[];
  /** Phases out of which no retry leads by itself. */
  readonly failed?: readonly string[];
  /** Phases that are tried again until `status.logRef` says that a run began. */
  readonly failedRuns?: readonly string[];
  /** Phases in which an object is as its spec says, whatever its condition Ready is. */
  readonly current?: readonly string[];
  /**
   * What holds in all other phases: the condition Ready decides (`ready`), or the object still moves (`moving`), or it is as
   * its spec says (`current`).
   */
  readonly otherwise: 'ready' | 'moving' | 'current';
}

const provisioned = { suspended: ['Draft'], failed: ['ProvisionFailed'], otherwise: 'ready' } as const;
const judged = { otherwise: 'ready' } as const;

/**
 * The kinds that a pass or a command moves. A service asleep is as its spec says: a visit wakes it. A build that failed
 * before its Job was made is tried again.
 */
export const kindHealth = {
  CoreApp: { ...provisioned, current: ['Asleep'] },
  CoreBackupArchive: { otherwise: 'current' },
  CoreBuild: { current: ['Succeeded'], failed: ['Cancelled'], failedRuns: ['Failed'], otherwise: 'moving' },
  CoreCloudConnection: judged,
  CoreCluster: judged,
  CoreConsoleSession: { current: ['Active', 'Expired', 'Closed'], otherwise: 'moving' },
  CoreDatabase: provisioned,
  CoreDeployment: { current: ['', 'Recorded', 'Available'], otherwise: 'moving' },
  CoreGitHostConnection: judged,
  CoreHAReadiness: judged,
  CoreLogicalDatabase: provisioned,
  CoreNode: judged,
  CoreObjectStore: provisioned,
  CorePlatformConfig: { otherwise: 'current' },
  CoreProject: { failed: ['ProvisionFailed'], otherwise: 'ready' },
} as const satisfies Readonly<Record<string, KindHealth>>;

export type KindWithHealth = keyof typeof kindHealth;
