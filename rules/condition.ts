import type { Frozen } from '../crds/kind.ts';
import type { Static } from '@sinclair/typebox';
import type { conditions } from '../crds/kind.ts';

export type Condition = Frozen<Static<typeof conditions>[number]>;
export type Verdict = Pick<Condition, 'type' | 'status' | 'reason' | 'message' | 'params'>;

interface WithConditions {
  readonly status?: { readonly conditions?: readonly Condition[] };
  readonly metadata: { readonly generation?: number };
}

export const conditionOf = (object: WithConditions | undefined, type: string): Condition | undefined =>
  object?.status?.conditions?.find((condition) => condition.type === type);

export const isReady = (object: WithConditions | undefined): boolean => conditionOf(object, 'Ready')?.status === 'True';

/** `status.conditions` with one verdict set; its transition time changes only when its status does. */
export function withCondition(object: WithConditions, verdict: Verdict, now: string): readonly Condition[] {
  const before = conditionOf(object, verdict.type);
  const entered: Condition = {
    ...verdict,
    lastTransitionTime: before?.status === verdict.status ? before.lastTransitionTime : now,
    ...(object.metadata.generation === undefined ? {} : { observedGeneration: object.metadata.generation }),
  };
  const others = object.status?.conditions?.filter(({ type }) => type !== verdict.type) ?? [];
  return [...others, entered];
}
