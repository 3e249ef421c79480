import type { Change, Explanation, Items, Read, StreamEvent } from '../../../api.ts';
import { api } from '../../api.ts';
import { ofObject } from '../../kindPages/service/concerns.ts';
import { machineOfKind } from '../../model/resourceFilter.ts';
import { type Reloading, useLoaded } from '../../store/loaded.ts';

interface ResourceOf {
  readonly kind: string;
  readonly name: string;
  /** Whether its settings wait for a deploy; others apply as soon as they are written. */
  readonly isDeployed: boolean;
  /** The events after which it is read again; those of the object where it is left out. */
  readonly concerns?: (event: StreamEvent) => boolean;
}

/** What every view of a resource shows, reloaded whenever it changes. */
export interface ResourceReading {
  readonly name: string;
  /** The machine of the resource itself; the others are of its drafts and of its retries. */
  readonly machine: string;
  /** Its id in each of its machines. */
  readonly id: string;
  /** Where the API has it. */
  readonly path: string;
  /** What belongs to it, such as its changes. */
  readonly pathOf: (what: string) => string;
  readonly resource: Reloading<Read>;
  readonly changes: Reloading<Items<Change>>;
  readonly explained: Reloading<Items<Explanation>>;
  readonly explanations: readonly Explanation[];
  readonly reload: () => void;
}

/** Reads a resource, what waits of it, and why it is in its state. */
export function useResource({ kind, name, isDeployed, concerns = ofObject(kind, name) }: ResourceOf): ResourceReading {
  const path = api.resource({ kind, name });
  const pathOf = (what: string) => `${path}/${what}`;
  const resource = useLoaded<Read>(path, concerns);
  const changes = useLoaded<Items<Change>>(isDeployed ? pathOf('changes') : null, concerns);
  const explained = useLoaded<Items<Explanation>>(pathOf('explain'), concerns);
  return {
    name,
    machine: machineOfKind[kind] ?? '',
    id: `${kind.toLowerCase()}s:${name}`,
    path,
    pathOf,
    resource,
    changes,
    explained,
    explanations: explained.value?.items ?? [],
    reload: () => [resource, changes, explained].forEach((one) => one.reload()),
  };
}
