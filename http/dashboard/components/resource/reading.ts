import type { Change, Explanation, Explanations, Items, Read, StreamEvent, Done } from '../../../api.ts';
import { ofObject } from '../../kindPages/service/concerns.ts';
import { machineOfKind } from '../../model/resourceFilter.ts';
import { type Reloading, useLoaded } from '../../store/loaded.ts';
import { resourcePath, resourceRequest, type WriteRequest } from '../../api.ts';
import type { ResourceName } from '../../model/routeAnswers.ts';

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
  readonly of: ResourceName;
  /** The request for a deploy or for another try. */
  readonly request: (what: 'deploy' | 'retry') => WriteRequest<Done>;
  readonly resource: Reloading<Read>;
  readonly changes: Reloading<Items<Change>>;
  readonly explained: Reloading<Explanations>;
  readonly explanations: readonly Explanation[];
  readonly reload: () => void;
}

/** Reads a resource, what waits of it, and why it is in its state. */
export function useResource({ kind, name, isDeployed, concerns = ofObject(kind, name) }: ResourceOf): ResourceReading {
  const of = { kind, name };
  const resource = useLoaded(resourcePath(of, ''), concerns);
  const changes = useLoaded(isDeployed ? resourcePath(of, '/changes') : null, concerns);
  const explained = useLoaded(resourcePath(of, '/explain'), concerns);
  return {
    name,
    machine: machineOfKind[kind] ?? '',
    id: `${kind.toLowerCase()}s:${name}`,
    of,
    request: (what) => resourceRequest(of, what),
    resource,
    changes,
    explained,
    explanations: explained.value?.items ?? [],
    reload: () => [resource, changes, explained].forEach((one) => one.reload()),
  };
}
