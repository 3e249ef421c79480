import type { KubeObject } from '../../../crds/kind.ts';
import { type Condition, conditionOf } from '../../../rules/condition.ts';

interface Connected extends KubeObject {
  readonly status?: { readonly conditions?: readonly Condition[]; readonly connectionSecret?: string };
}

/** Whoever reads that it is ready finds the name of its connection Secret in the same version. */
export const unnamedConnection = (changed: Connected): readonly string[] =>
  conditionOf(changed, 'Ready')?.status === 'True' && (changed.status?.connectionSecret ?? '') === ''
    ? ['it reports Ready before its status names the connection Secret']
    : [];
