import type { KubeObject } from '../../crds/kind.ts';
import { annotation } from '../../crds/names.ts';
import { differences } from '../../rules/owned/differences.ts';
import {
  appliedHash,
  appliedObject,
  type Fixed,
  isOf,
  isOfEarlierOwner,
  type Owner,
  reachable,
  removalPatch,
  withStored,
} from '../../rules/owned/ownedObject.ts';
import type { Resource } from '../services/cluster/cluster.ts';
import { appliedFields } from '../cache/appliedFields.ts';
import type { Kept } from './memory.ts';
import { isDeleting } from '../../rules/deleting.ts';

/** One object that should exist. The labels and annotations that identify it are added to it. */
export interface OwnedObject<O extends KubeObject = KubeObject> {
  readonly resource: Resource<O>;
  readonly object: O;
  /** Maps that may hold only what is wanted. */
  readonly whole?: readonly (readonly string[])[];
  /** How a change that the API rejects is handled. */
  readonly fixed?: readonly Fixed[];
  /** Whether the number of copies of the existing object is left to whoever scales it. */
  readonly scaledElsewhere?: (stands: KubeObject) => boolean;
}

/** How one wanted object compares with the existing one, and what would correct it. */
export type Verdict =
  | { readonly is: 'current'; readonly object: KubeObject }
  | { readonly is: 'absent'; readonly object: KubeObject }
  | { readonly is: 'stale'; readonly object: KubeObject; readonly by: 'apply' | 'replace' }
  | { readonly is: 'stale'; readonly object: KubeObject; readonly by: 'trim'; readonly patch: object }
  /** Being deleted: it can be created again when it is gone. */
  | { readonly is: 'going' }
  | { readonly is: 'foreign'; readonly says: string };

/** The display name of an object: `Deployment shop-live/db`, `Namespace shop-live`. */
export const calledOf = ({ kind }: Resource, { metadata: { namespace, name } }: KubeObject): string =>
  `${kind} ${namespace === undefined || namespace === '' ? name : `${namespace}/${name}`}`;

export const foreignSays = (called: string): string => `${called} stands already and is not Core's`;

const anotherLifeSays = (called: string, owner: Owner): string =>
  `${called} was made for another ${owner.kind} ${owner.name}; annotate this one ${annotation.adopt}=true to take it over`;

/** Why an object may not be touched: it is not ours, or of another life; null when it may. */
export function whyNotOurs(called: string, stands: KubeObject, owner: Owner): string | null {
  if (!isOf(stands, owner)) return foreignSays(called);
  return isOfEarlierOwner(stands, owner) ? anotherLifeSays(called, owner) : null;
}

interface Judged {
  readonly kept: Kept | undefined;
  readonly owner: Owner;
}

const lastJudged = new WeakMap<
  OwnedObject,
  { readonly stands: KubeObject | undefined; readonly given: Judged; readonly verdict: Verdict }
>();

const isSame = (one: Judged, other: Judged): boolean =>
  one.kept === other.kept && one.owner.uid === other.owner.uid && one.owner.adopts === other.owner.adopts;

/** Compares one wanted object with the existing one of its name; the last verdict holds while both are the same. */
export function judge(wanted: OwnedObject, stands: KubeObject | undefined, given: Judged): Verdict {
  const last = lastJudged.get(wanted);
  if (last?.stands === stands && last !== undefined && isSame(last.given, given)) return last.verdict;
  const verdict = compare(wanted, stands, given);
  lastJudged.set(wanted, { stands, given, verdict });
  return verdict;
}

function compare(
  { resource, object: asked, whole = [], fixed = [], scaledElsewhere }: OwnedObject,
  stands: KubeObject | undefined,
  { kept, owner }: Judged,
): Verdict {
  if (!stands) {
    if (kept?.foreign) return { is: 'foreign', says: kept.foreign.says };
    return { is: 'absent', object: appliedObject(asked, owner) };
  }
  const says = whyNotOurs(calledOf(resource, stands), stands, owner);
  if (says !== null) return { is: 'foreign', says };
  if (isDeleting(stands) || kept?.removed === stands.metadata.uid) return { is: 'going' };
  const object = scaledElsewhere?.(stands) ? withoutReplicas(asked) : asked;
  const reached = reachable(object, stands, fixed);
  if (reached === 'replace') return { is: 'stale', object: asked, by: 'replace' };
  const applied = appliedObject(reached, owner);
  if (!isApplied(applied, stands, kept))
    return { is: 'stale', object: withStored(applied, stands, fixed), by: 'apply' };
  const patch = removalPatch(applied, stands, whole);
  return patch ? { is: 'stale', object: applied, by: 'trim', patch } : { is: 'current', object: applied };
}

interface Scaled extends KubeObject {
  readonly spec?: { readonly replicas?: number };
}

function withoutReplicas(object: KubeObject): KubeObject {
  const { replicas: _, ...spec } = (object as Scaled).spec ?? {};
  return { ...object, spec } as Scaled;
}

/**
 * Whether the existing object is what was wanted and applied. Without a memory of it, it is compared value by value.
 */
function isApplied(applied: KubeObject, stands: KubeObject, kept: Kept | undefined): boolean {
  const fields = appliedFields(stands);
  if (fields === undefined || appliedHash(applied) !== appliedHash(stands)) return false;
  if (kept?.hash === appliedHash(applied) && kept.uid === stands.metadata.uid)
    return kept.fields === fields && differences(dataOf(applied), dataOf(stands)).length === 0;
  return differences(applied, stands).length === 0;
}

/** The data of a Secret, which the hash does not cover. */
const dataOf = (object: KubeObject): unknown =>
  object.kind === 'Secret' ? (object as { readonly data?: unknown }).data : undefined;
