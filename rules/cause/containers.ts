import type { ContainerSeen, StartingPod } from '../pods.ts';
import { msOf } from '../time.ts';

/** A container of a pod, by its spec and its status. */
export interface CopyContainer extends Pick<ContainerSeen, 'state' | 'lastState'> {
  readonly name: string;
  readonly image: string;
  /** Its memory limit; `none` without one. */
  readonly memory: string;
  readonly restarts: number;
}

/** How a container ended last. */
export interface Ended {
  readonly exitCode: number;
  readonly reason: string;
  readonly message: string;
  readonly atMs: number;
}

/** The containers of a pod that have a status, those of its start first. */
export function copyContainers({ spec = {}, status = {} }: StartingPod): readonly CopyContainer[] {
  const specs = [...(spec.initContainers ?? []), ...(spec.containers ?? [])];
  return [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])].map(
    ({ name = '', image = '', restartCount = 0, state = {}, lastState = {} }) => {
      const written = specs.find((one) => one.name === name);
      return {
        name,
        image: written?.image ?? image,
        memory: String(written?.resources?.limits?.['memory'] ?? 'none'),
        restarts: restartCount,
        state,
        lastState,
      };
    },
  );
}

/**
 * How a container ended last; undefined if it never did, or if it did what it was for: a container of the start that
 * ended well.
 */
export function lastEndOf({ state, lastState }: Pick<CopyContainer, 'state' | 'lastState'>): Ended | undefined {
  const end = state?.terminated ?? lastState?.terminated;
  if (end === undefined) return undefined;
  const { exitCode = 0, reason = '', message = '', finishedAt = '' } = end;
  if (reason === 'Completed' && lastState?.terminated === undefined && exitCode === 0) return undefined;
  return { exitCode, reason, message, atMs: msOf(finishedAt) || 0 };
}
