import type { CoreObjectStore, ObjectStoreSpec } from '../../../crds/coreObjectStore.ts';
import type { KubeObject } from '../../../crds/kind.ts';
import { systemNamespace } from '../../../crds/names.ts';
import type { StorageState } from '../../../rules/backupStorage/state.ts';
import { isReady } from '../../../rules/condition.ts';
import { nodePlacementOf, placementOf } from '../../../rules/database/nodePlacement.ts';
import type { ObjectStoreSeen } from '../../../rules/objectStore/facts.ts';
import { unsupportedOf } from '../../../rules/objectStore/refusals.ts';
import type { CacheReader } from '../../cache/reader.ts';
import { projects } from '../../kinds.ts';
import { isBroughtAbout, owned, type Owned } from '../../owned/owned.ts';
import { foreignTo } from '../cloud/account.ts';
import { gateOf, runningOf, serverOf } from './spec.ts';

/** What was found out about an object store since this process began to lead. */
export interface Found {
  readonly bucket: StorageState | null;
  readonly failure: string | null;
}

/** What judging an object store reads. */
export interface Around {
  readonly reader: CacheReader;
  readonly pieces: Owned<CoreObjectStore>;
  readonly memory: ReadonlyMap<string, Found>;
}

export const uidOf = ({ metadata }: CoreObjectStore): string => metadata.uid ?? metadata.name;

const nothingFound: Found = { bucket: null, failure: null };

export function storeSeen(store: CoreObjectStore, { reader, pieces, memory }: Around): ObjectStoreSeen {
  const spec = runningOf(store) ?? store.spec;
  const { bucket, failure } = memory.get(uidOf(store)) ?? nothingFound;
  const isBucket = spec.mode === 'Bucket';
  return {
    gate: gateOf(store),
    mode: spec.mode,
    unsupported: unsupportedOf(spec),
    environment: spec.environment ?? '',
    project: projectSeen(spec, reader),
    cloud: isBucket && spec.connectionRef ? foreignTo(spec.project ?? '', spec.connectionRef.name, reader) : null,
    server: serverSeen(spec, reader),
    lackingTags: lackingTags(spec, reader),
    bucket: isBucket ? (bucket ?? standingState(store)) : null,
    failure,
    isCurrent: isBroughtAbout(pieces.difference(store, reader)),
    runs: isBucket || isRunning(store, reader),
  };
}

/** A bucket that worked before this process began works until it is found otherwise. */
const standingState = (store: CoreObjectStore): StorageState | null =>
  isReady(store) ? { is: 'working', region: '', secret: store.status?.credentialSecret ?? '' } : null;

function projectSeen({ mode, project: name = '', environment = '' }: ObjectStoreSpec, reader: CacheReader) {
  if (mode === 'Server') return { name, is: 'none' } as const;
  const found = reader.get(projects, name);
  if (!found) return { name, is: 'absent' } as const;
  if (!isReady(found)) return { name, is: 'notReady' } as const;
  return { name, is: found.spec.environments.includes(environment) ? 'fine' : 'withoutEnvironment' } as const;
}

function serverSeen(spec: ObjectStoreSpec, reader: CacheReader): ObjectStoreSeen['server'] {
  const name = spec.serverRef?.name ?? '';
  if (name === '') return { name, is: 'none' };
  const found = serverOf(spec, reader);
  if (!found) return { name, is: 'absent' };
  if (found.spec.mode !== 'Server') return { name, is: 'notServer' };
  return { name, is: isReady(found) ? 'fine' : 'notReady' };
}

/** A bucket on a server is where the server is: its nodes need every tag of the project (001 Required tags). */
function lackingTags(spec: ObjectStoreSpec, reader: CacheReader): readonly string[] {
  const server = serverOf(spec, reader);
  if (!server) return [];
  const { requiredTags = [] } = reader.get(projects, spec.project ?? '')?.spec ?? {};
  const placed = nodePlacementOf(server);
  const tags = placed ? placementOf(placed).tags : [];
  return requiredTags.filter((tag) => !tags.includes(tag));
}

interface Deployment extends KubeObject {
  readonly status?: { readonly availableReplicas?: number };
}

const isRunning = ({ metadata }: CoreObjectStore, reader: CacheReader): boolean => {
  const found: Deployment | undefined = reader.get(owned.deployments, metadata.name, systemNamespace);
  return (found?.status?.availableReplicas ?? 0) > 0;
};
