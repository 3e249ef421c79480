import { endsOf } from '../crashing.ts';
import type { ContainerSeen, StartingPod } from '../pods.ts';
import { msOf } from '../time.ts';

/** A container of a pod, by its spec and its status. */
export interface CopyContainer extends Pick<ContainerSeen, 'state' | 'lastState'> {
  readonly name: string;
  readonly image: string;
  /** Its memory limit; `none` without one. */
  readonly memory: string;
  /** How often it ended. */
  readonly ends: number;
  /** Whether it runs before the others and ends. */
  readonly isOfStart: boolean;
}

/** How a container ended last. */
export interface Ended {
  readonly exitCode: number;
  readonly reason: string;
  readonly message: string;
  /** 0 where the time is not known. */
  readonly atMs: number;
}

/** The containers of a pod that have a status, those of its start first. */
export function copyContainers({ spec = {}, status = {} }: StartingPod): readonly CopyContainer[] {
  const specs = [...(spec.initContainers ?? []), ...(spec.containers ?? [])];
  const copyOf = (isOfStart: boolean) => (seen: ContainerSeen) => {
    const { name = '', image = '', state = {}, lastState = {} } = seen;
    const written = specs.find((one) => one.name === name);
    return {
      name,
      image: written?.image ?? image,
      memory: String(written?.resources?.limits?.['memory'] ?? 'none'),
      ends: endsOf(seen),
      isOfStart,
      state,
      lastState,
    };
  };
  return [
    ...(status.initContainerStatuses ?? []).map(copyOf(true)),
    ...(status.containerStatuses ?? []).map(copyOf(false)),
  ];
}

/** How a container ended last; undefined if it never did, or if it belongs to the start and did what it was for. */
export function lastEndOf({ isOfStart, state, lastState }: CopyContainer): Ended | undefined {
  const end = state?.terminated ?? lastState?.terminated;
  if (end === undefined) return undefined;
  const { exitCode = 0, reason = '', message = '', finishedAt = '' } = end;
  if (isOfStart && state?.terminated !== undefined && exitCode === 0) return undefined;
  return { exitCode, reason, message, atMs: msOf(finishedAt) || 0 };
}
