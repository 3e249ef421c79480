import type { KubeObject } from '../../crds/kind.ts';
import { annotation, program, systemNamespace } from '../../crds/names.ts';
import { isoTime } from '../../rules/time.ts';
import type { Resource } from '../services/cluster/cluster.ts';

/** The Lease that names the leader, as every replica reads and writes it. */
export interface LeaseRecord extends KubeObject {
  readonly spec?: {
    /** Empty once its holder has released it. */
    readonly holderIdentity?: string;
    readonly leaseDurationSeconds?: number;
    readonly acquireTime?: string;
    readonly renewTime?: string;
    readonly leaseTransitions?: number;
  };
}

export const leases: Resource<LeaseRecord> = {
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  plural: 'leases',
  namespaced: true,
};

export const leaseName = `${program}-operator`;

/** How long a lease is valid, within which time it must be renewed, and how often that is tried. */
export interface LeaseTimes {
  readonly leaseMs: number;
  readonly renewWithinMs: number;
  readonly retryMs: number;
}

/** Uses the proportions of controller-runtime: of 15 seconds, 10 to renew and 2 between tries. */
export const leaseTimes = (seconds: number): LeaseTimes => ({
  leaseMs: seconds * 1_000,
  renewWithinMs: (seconds * 2_000) / 3,
  retryMs: (seconds * 2_000) / 15,
});

/** The API accepts a MicroTime only with exactly six digits after the second. */
const microTime = (ms: number) => isoTime(ms).replace('Z', '000Z');

/** The process that writes the lease, its duration and the time of its own clock. */
export interface LeaseHolder {
  readonly identity: string;
  /**
   * Where other replicas reach the in-memory state of the leader: the base of its REST API; absent when they cannot.
   */
  readonly address?: string;
  readonly seconds: number;
  readonly now: number;
}

const held = ({ identity, seconds, now }: LeaseHolder) => ({
  holderIdentity: identity,
  leaseDurationSeconds: seconds,
  renewTime: microTime(now),
});

const addressed = ({ address }: LeaseHolder) =>
  address === undefined ? {} : { annotations: { [annotation.address]: address } };

/** Where the leader serves its in-memory state; null without a leader, or when it cannot be reached. */
export const leaderAddress = ({ metadata, spec }: LeaseRecord): string | null =>
  spec?.holderIdentity ? (metadata.annotations?.[annotation.address] ?? null) : null;

/** The first lease, without an earlier holder. */
export const firstLease = (holding: LeaseHolder, name: string = leaseName): LeaseRecord => ({
  apiVersion: `${leases.group}/${leases.version}`,
  kind: leases.kind,
  metadata: { name, namespace: systemNamespace, ...addressed(holding) },
  spec: { ...held(holding), acquireTime: microTime(holding.now), leaseTransitions: 0 },
});

/** The patch that takes or renews a lease; a new holder counts as a transition. */
export function takenLease({ spec }: LeaseRecord, holding: LeaseHolder): object {
  const { holderIdentity, leaseTransitions = 0 } = spec ?? {};
  if (holderIdentity === holding.identity) return { metadata: addressed(holding), spec: held(holding) };
  const acquireTime = microTime(holding.now);
  const annotations = { [annotation.address]: holding.address ?? null };
  return { metadata: { annotations }, spec: { ...held(holding), acquireTime, leaseTransitions: leaseTransitions + 1 } };
}

/** The patch that releases a lease, so that a standby may take it at once. */
export const releasedLease = (now: number): object => ({ spec: { holderIdentity: '', renewTime: microTime(now) } });
