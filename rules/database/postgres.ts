import type { CoreDatabase, DatabaseSpec } from '../../crds/coreDatabase.ts';
import { podAnnotations, podPlacement } from '../placement.ts';
import { bootstrapSecretName, ownLogin } from './connection.ts';
import { databaseNameOf, namespaceOf, resourcesOf, storageSizeOf } from './effective.ts';
import { databaseLabels } from './labels.ts';
import { instancesOf } from './wanted.ts';
import type { Settled, Workload } from './settled.ts';

export const clusterDefinition = 'clusters.postgresql.cnpg.io';

/** The server of a Postgres database, which the Postgres operator runs. */
export function postgresObjects(database: CoreDatabase, spec: DatabaseSpec, settled: Settled): readonly Workload[] {
  const { name } = database.metadata;
  const labels = databaseLabels(database, spec);
  return [
    {
      apiVersion: 'postgresql.cnpg.io/v1',
      kind: 'Cluster',
      metadata: { name, namespace: namespaceOf(spec), labels },
      spec: {
        instances: instancesOf(spec),
        imageName: `${settled.images.postgresImage}:${spec.version}`,
        ...(settled.recovery ?? {
          bootstrap: {
            initdb: {
              database: databaseNameOf(database, spec),
              owner: ownLogin,
              secret: { name: bootstrapSecretName(name) },
            },
          },
        }),
        ...(settled.archiving === undefined ? {} : { backup: settled.archiving }),
        storage: {
          size: storageSizeOf(spec),
          ...(settled.storageClass === '' ? {} : { storageClass: settled.storageClass }),
        },
        resources: resourcesOf(spec),
        affinity: {
          ...podPlacement(settled.placement),
          ...(spec.highAvailability
            ? { enablePodAntiAffinity: true, podAntiAffinityType: 'required', topologyKey: 'kubernetes.io/hostname' }
            : {}),
        },
        enableSuperuserAccess: settled.hasLogical,
        inheritedMetadata: { labels, annotations: podAnnotations(settled.requiredTags) },
      },
    },
  ];
}

/** The parts of a Postgres cluster that show whether it runs. */
export interface PostgresSeen {
  readonly spec?: { readonly instances?: number; readonly imageName?: string; readonly backup?: object };
  readonly status?: {
    readonly phase?: string;
    readonly readyInstances?: number;
    readonly currentPrimary?: string;
    readonly targetPrimary?: string;
    /** The image of the data directory; before that exists, the requested one. */
    readonly pgDataImageInfo?: { readonly image: string; readonly majorVersion: number };
  };
}

type Status = NonNullable<PostgresSeen['status']>;

/** Whether a server ever had a primary, and with it data. */
export const isInitialised = ({ status }: PostgresSeen): boolean => (status?.currentPrimary ?? '') !== '';

/** The major version that a server reports of its data; empty until there are any. */
export const postgresVersion = (server: PostgresSeen): string =>
  isInitialised(server) ? String(server.status?.pgDataImageInfo?.majorVersion ?? '') : '';

/** Phases that the operator does not leave without a change. */
const vain = /unrecoverable|unable to create required cluster objects|invalid/i;

/** The phase that a server does not leave by itself; empty for any other. */
export const vainPhaseOf = ({ status }: PostgresSeen): string =>
  vain.test(status?.phase ?? '') ? (status?.phase ?? '') : '';

/** The earlier state of a server, and its pods. */
export interface PostgresAround {
  readonly served: boolean;
  /** Whether only one instance runs, whatever is requested. */
  readonly isAlone: boolean;
  readonly isReadyPod: (name: string) => boolean;
  /** Whether the Service for writes has an endpoint. */
  readonly hasEndpoint: boolean;
}

/** Becoming Ready needs every instance, staying Ready a primary that takes writes (decision 193). */
export function postgresRuns(
  { spec, status = {} }: PostgresSeen,
  { served, isAlone, isReadyPod, hasEndpoint }: PostgresAround,
): 'starting' | 'failed' | 'running' {
  const { phase = '', readyInstances = 0 } = status;
  if (vain.test(phase)) return 'failed';
  const primary = settledPrimary(status);
  const takesWrites = primary !== null && isReadyPod(primary) && hasEndpoint;
  const isWhole = readyInstances >= (isAlone ? 1 : (spec?.instances ?? 1));
  return takesWrites && (served || isWhole) ? 'running' : 'starting';
}

/** The primary, unless there is none or a switchover is pending. */
function settledPrimary({ currentPrimary = '', targetPrimary = currentPrimary }: Status): string | null {
  return currentPrimary !== '' && currentPrimary === targetPrimary ? currentPrimary : null;
}
