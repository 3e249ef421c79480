import type { StoredCause } from '../../crds/cause.ts';
import type { KubeObject } from '../../crds/kind.ts';
import type { Provision } from '../../crds/provisioning.ts';
import { recordedCauses } from '../../rules/cause/record.ts';
import { conditionOf } from '../../rules/condition.ts';
import { isDeleting } from '../../rules/deleting.ts';
import { withAfterwards } from '../../rules/provision/afterwards.ts';
import { msOf } from '../../rules/time.ts';
import type { Controller, Deriving } from '../contract/controller.ts';
import type { Fields } from '../contract/lifecycle.ts';
import { namespaces } from '../services/cluster/resources.ts';
import { statusOf, statusPatch, withStatus } from './status.ts';

const none: readonly StoredCause[] = [];

/** The recorded causes of an object, the worst first. */
export const causesOf = (object: KubeObject | undefined): readonly StoredCause[] =>
  (object && (statusOf(object)['causes'] as readonly StoredCause[] | undefined)) ?? none;

/** An object with its derived status fields, and when its causes change by time alone (ms); null for never. */
export interface Derived {
  readonly object: KubeObject;
  readonly changesAt: number | null;
}

/**
 * Derives the fields of the status that follow from what is observed: verdicts, references, causes, and the generation
 * that was decided over. `stored` is the object as it was last written.
 */
export function derived(
  controller: Controller,
  object: KubeObject,
  deriving: Deriving,
  stored: KubeObject = object,
): Derived {
  const verdicts = withStatus(object, controller.derive?.(object, deriving) ?? {});
  const judged = withStatus(verdicts, { observedGeneration: decidedGeneration(verdicts) });
  const findings = controller.causes?.(object, deriving);
  if (findings === undefined) return { object: judged, changesAt: null };
  const { causes, changesAt } = recordedCauses(causesOf(object), findings, msOf(deriving.now), {
    isWritten: () => statusPatch(stored, judged) !== null,
    isTerminating: (name) => {
      const namespace = deriving.reader.get(namespaces, name);
      return namespace !== undefined && isDeleting(namespace);
    },
  });
  const fields = { causes: causes.length === 0 ? null : causes, ...attemptsOf(judged, causes) };
  return { object: withStatus(judged, fields), changesAt };
}

/** The generation that was decided over: that of the object, or the older one of a Ready that was left as it was. */
function decidedGeneration(object: KubeObject): number | null {
  const { generation = null } = object.metadata;
  const judged = conditionOf(object, 'Ready')?.observedGeneration;
  return generation === null || judged === undefined ? generation : Math.min(generation, judged);
}

/** The attempts of a provisioned object, the newest with what happened after it succeeded. */
function attemptsOf(object: KubeObject, causes: readonly StoredCause[]): Fields {
  const { provision } = statusOf(object);
  const after = withAfterwards(provision as Provision | undefined, causes);
  return after === provision ? {} : { provision: after };
}
