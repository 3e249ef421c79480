import type { KubeObject } from '../../crds/kind.ts';
import { systemNamespace } from '../../crds/names.ts';
import { isControlled, type Owner, ownerOf } from '../../rules/owned/ownedObject.ts';
import { withoutEmpty } from '../../rules/owned/withoutEmpty.ts';
import { keyOf } from '../cache/key.ts';
import type { CacheReader } from '../cache/reader.ts';
import { apiVersionOf, type Resource } from '../services/cluster/cluster.ts';
import { calledOf, judge, type OwnedObject, type Verdict, whyNotOurs } from './judge.ts';
import { ownedBy } from './kinds.ts';
import { type Kept, standing } from './memory.ts';

/** One wanted object with the existing one of its name. */
export interface Found {
  readonly key: string;
  readonly called: string;
  readonly wanted: OwnedObject;
  readonly cached: KubeObject | undefined;
  /** The cached object, or what was written since. */
  readonly stands: KubeObject | undefined;
  readonly kept: Kept | undefined;
}

/** An object of ours that should not exist. */
export interface Surplus {
  readonly key: string;
  readonly called: string;
  readonly resource: Resource;
  readonly object: KubeObject;
  /** Why it is left alone all the same; null where it is to be deleted. */
  readonly says: string | null;
  readonly isGoing: boolean;
}

export interface Survey {
  readonly owner: Owner;
  readonly found: readonly Found[];
  readonly surplus: readonly Surplus[];
}

/** What the objects of an owner lack, by display name; `foreign` and `contested` in words. */
export interface Difference {
  readonly absent: readonly string[];
  readonly stale: readonly string[];
  readonly surplus: readonly string[];
  readonly going: readonly string[];
  readonly foreign: readonly string[];
  readonly contested: readonly string[];
  /** Written, and not in the cache yet: the cached version is older than that. */
  readonly unseen: readonly string[];
}

/** Of an owner whose objects are left alone. */
export const nothingDiffers: Difference = {
  absent: [],
  stale: [],
  surplus: [],
  going: [],
  foreign: [],
  contested: [],
  unseen: [],
};

/** Whether everything is as it should be, and nothing else exists. */
export const isBroughtAbout = ({ absent, stale, surplus, going, foreign }: Difference): boolean =>
  [absent, stale, surplus, going, foreign].every((list) => list.length === 0);

/** Whether an object of this kind was written that the cache does not show yet. */
export const isUnseen = ({ unseen }: Difference, { kind }: Resource): boolean =>
  unseen.some((called) => called.startsWith(`${kind} `));

/** An object without its kind cannot be told from another's, so it is never surplus. */
export const isOfResource = (resource: Resource, { apiVersion, kind }: KubeObject): boolean =>
  kind === resource.kind && apiVersion === apiVersionOf(resource);

export const resourceKey = ({ group, plural }: Resource, object: KubeObject): string =>
  `${group}/${plural} ${keyOf(object)}`;

const complete = new WeakMap<OwnedObject, OwnedObject>();

/**
 * The object with its kind and namespace filled in, and without empty values that mean nothing. Equal input gives the
 * same object, so that results kept for it are found again.
 */
function completed(wanted: OwnedObject): OwnedObject {
  const before = complete.get(wanted);
  if (before) return before;
  const one = completion(wanted);
  complete.set(wanted, one);
  return one;
}

function completion({ resource, object, ...more }: OwnedObject): OwnedObject {
  const { kind, namespaced } = resource;
  const meant = withoutEmpty(object, resource.meaningfulEmpty) as KubeObject;
  const { namespace = systemNamespace, ...metadata } = meant.metadata;
  const whole = {
    ...meant,
    apiVersion: apiVersionOf(resource),
    kind,
    metadata: namespaced ? { ...metadata, namespace } : metadata,
  };
  return { resource, object: whole, ...more };
}

/** What an owner should have and what it has, by the cache and the last writes. */
export function survey(
  {
    kind,
    resources,
    leaves,
  }: {
    readonly kind: string;
    readonly resources: readonly Resource[];
    readonly leaves: (one: KubeObject) => boolean;
  },
  { object, wanted }: { readonly object: KubeObject; readonly wanted: readonly OwnedObject[] },
  { reader, memory }: { readonly reader: CacheReader; readonly memory: ReadonlyMap<string, Kept> },
): Survey {
  const owner = ownerOf(kind, object);
  const found = wanted.map(completed).map((one): Found => {
    const key = resourceKey(one.resource, one.object);
    const kept = memory.get(key);
    const { name, namespace } = one.object.metadata;
    const cached = reader.get(one.resource, name, namespace);
    return {
      key,
      called: calledOf(one.resource, one.object),
      wanted: one,
      cached,
      stands: standing(cached, kept),
      kept,
    };
  });
  const keys = new Set(found.map(({ key }) => key));
  const surplus = resources.flatMap((resource) =>
    reader.indexed(resource, ...ownedBy(kind, owner.name)).flatMap((one): readonly Surplus[] => {
      const key = resourceKey(resource, one);
      if (keys.has(key) || !isOfResource(resource, one) || isControlled(one, owner.uid) || leaves(one)) return [];
      const called = calledOf(resource, one);
      const { uid, deletionTimestamp } = one.metadata;
      const isGoing = deletionTimestamp !== undefined || memory.get(key)?.removed === uid;
      return [{ key, called, resource, object: one, says: whyNotOurs(called, one, owner), isGoing }];
    }),
  );
  return { owner, found, surplus };
}

const contestedSays = (called: string, by: string): string =>
  `${called} is taken back by ${by} again and again; it is applied every 10 minutes`;

/** The difference that a survey found. */
export function differenceOf({ owner, found, surplus }: Survey): Difference {
  const verdicts = found.map((one) => ({ one, verdict: judge(one.wanted, one.stands, { kept: one.kept, owner }) }));
  const called = (is: Verdict['is']) =>
    verdicts.filter(({ verdict }) => verdict.is === is).map(({ one }) => one.called);
  const left = surplus.filter(({ says }) => says === null);
  return {
    absent: called('absent'),
    stale: called('stale'),
    going: [...called('going'), ...left.filter(({ isGoing }) => isGoing).map((one) => one.called)],
    surplus: left.filter(({ isGoing }) => !isGoing).map((one) => one.called),
    foreign: [
      ...verdicts.flatMap(({ verdict }) => (verdict.is === 'foreign' ? [verdict.says] : [])),
      ...surplus.flatMap(({ says }) => (says === null ? [] : [says])),
    ],
    contested: found.flatMap(({ called: name, kept }) =>
      kept?.contested ? [contestedSays(name, kept.contested.by)] : [],
    ),
    unseen: found.filter(({ cached, stands }) => stands !== cached).map((one) => one.called),
  };
}
