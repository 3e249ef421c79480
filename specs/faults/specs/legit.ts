import type { Snapshot } from '../world/snapshot.ts';
import type { Way } from './step.ts';

/** Where a difference stands: its object, and the field. */
const placeOf = (difference: string): string => difference.slice(0, difference.indexOf(': '));

/** Counts of what was written, and which of its tokens the Git host gave, say nothing of where things stand. */
const counted =
  /\.(generation|observedGeneration)$|^Secret \S+\.(data\.token|metadata\.annotations\.\S+token-(hash|expires-at))$/;
/** What is archived outlives what it is of, and a build says where its log is for good. */
const archived = /^stored |^CoreBuild \S+\.status\.logRef$/;
const ofBuilds = /^(CoreBuild|Job|Pod) /;

/** Differences from the time before an object was there that are no fault once it is gone with all that it owned. */
export const outlives = (difference: string): boolean =>
  counted.test(placeOf(difference)) || archived.test(placeOf(difference));

/** A service says what it ran, and what was built last, until something else follows from its own settings. */
function followsWhatRan(place: string, before: Snapshot): boolean {
  const [, app, field = ''] = /^(CoreApp \S+?)\.status\.([a-zA-Z]+)/.exec(place) ?? [];
  if (app === undefined) return false;
  const said = (name: string) => JSON.parse(before[`${app}.${name}`] ?? '""') as string;
  if (said('spec.source.git.repository') === '') return field === 'currentBuild';
  const isBuilt = said('status.conditions.0.reason') === 'ImageResolved';
  return !isBuilt || said(`status.currentBuild`) === '' || phaseIn(before, said('status.currentBuild')) !== 'Succeeded';
}

/** A build that waited goes on once it can, though nobody wants it any more. */
function hadNotEnded(place: string, before: Snapshot): boolean {
  const [, name = ''] = /^(?:CoreBuild|Job|Pod) (\S+-build-[0-9a-f]{12}|built)/.exec(place) ?? [];
  return name !== '' && !['Succeeded', 'Failed', 'Cancelled'].includes(phaseIn(before, name));
}

const phaseIn = (snapshot: Snapshot, build: string): string =>
  JSON.parse(snapshot[`CoreBuild ${build}.status.phase`] ?? '""') as string;

/** A token that was got lasts, whoever is gone that could renew it. */
const hasGotToken = (place: string, before: Snapshot): boolean => {
  const [, connection] = /^(CoreGitHostConnection \S+?)\.status\./.exec(place) ?? [];
  return connection !== undefined && before[`${connection}.status.tokenExpiresAt`] === undefined;
};

/** Differences from an earlier rest under the same spec that are no fault: what accumulates, and what follows from it. */
export const accumulates =
  (before: Snapshot, way: Way | null = null) =>
  (difference: string): boolean => {
    const place = placeOf(difference);
    // Builds are kept when the spec changes, and go with the object that made them.
    const isKept = ofBuilds.test(place) && (way === 'recreate' || difference.endsWith(', undisturbed absent'));
    const isNext = way === 'recreate' && /^CoreApp \S+\.status\.(currentBuild|resolvedImage|conditions)/.test(place);
    return (
      outlives(difference) ||
      isKept ||
      isNext ||
      hadNotEnded(place, before) ||
      followsWhatRan(place, before) ||
      hasGotToken(place, before)
    );
  };
