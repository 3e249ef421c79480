import type { Change, Explanation, Items, Read, StreamEvent } from '../../../api.ts';
import { type Reloading, useLoaded } from '../../store/loaded.ts';

/** A resource, and where the API has it. */
export interface ResourceOf {
  readonly name: string;
  /** The machine of the resource itself; the others are of its drafts and of its retries. */
  readonly machine: string;
  /** Its id in each of its machines. */
  readonly id: string;
  readonly path: string;
  /** What belongs to it, such as its changes. */
  readonly pathOf: (what: string) => string;
  /** Whether its settings wait for a deploy; others apply as soon as they are written. */
  readonly isDeployed: boolean;
  readonly concerns: (event: StreamEvent) => boolean;
}

/** What every view of a resource shows, reloaded whenever it changes. */
export interface ResourceReading extends Omit<ResourceOf, 'concerns'> {
  readonly resource: Reloading<Read>;
  readonly changes: Reloading<Items<Change>>;
  readonly explained: Reloading<Items<Explanation>>;
  readonly explanations: readonly Explanation[];
  readonly reload: () => void;
}

export function useResource({ concerns, ...of }: ResourceOf): ResourceReading {
  const resource = useLoaded<Read>(of.path, concerns);
  const changes = useLoaded<Items<Change>>(of.isDeployed ? of.pathOf('changes') : null, concerns);
  const explained = useLoaded<Items<Explanation>>(of.pathOf('explain'), concerns);
  const reload = () => [resource, changes, explained].forEach((one) => one.reload());
  return { ...of, resource, changes, explained, explanations: explained.value?.items ?? [], reload };
}
