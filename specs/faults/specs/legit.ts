import type { Snapshot } from '../environment/snapshot.ts';
import type { Way } from './step.ts';

/** The place of a difference: its object and the field. */
const placeOf = (difference: string): string => difference.slice(0, difference.indexOf(': '));

/** Write counts and token numbers of the Git host say nothing about the resulting state. */
const counted =
  /\.(generation|observedGeneration)$|^Secret \S+\.(data\.token|metadata\.annotations\.\S+token-(hash|expires-at))$/;
/** Archived data outlives its subject, and a build keeps the location of its log. */
const archived = /^stored |^CoreBuild \S+\.status\.logRef$/;
const ofBuilds = /^(CoreBuild|Job|Pod) /;

/** Differences that are not faults once the object and everything it owned are gone. */
export const outlives = (difference: string): boolean =>
  counted.test(placeOf(difference)) || archived.test(placeOf(difference));

/** The attempts of a service, its row of failures and what was taken up tell of every spec that it had. */
const tellsOfBefore = /^CoreApp \S+\.status\.(provision|reconcileRetry|takenUpImage|deployRevision)/;

/** What Ready says of a service once its image is applied. */
const runs: readonly string[] = ['Starting service', 'Service is starting', 'Service is running'];

/** A service keeps what it ran and what was built last, until its own settings require something else. */
function followsWhatRan(place: string, before: Snapshot): boolean {
  const [, app, field = ''] = /^(CoreApp \S+?)\.status\.([a-zA-Z]+)/.exec(place) ?? [];
  if (app === undefined) return false;
  const said = (name: string) => JSON.parse(before[`${app}.${name}`] ?? '""') as string;
  if (said('spec.source.git.repository') === '') return field === 'currentBuild';
  const isBuilt = runs.includes(said('status.conditions.0.message'));
  return !isBuilt || said(`status.currentBuild`) === '' || phaseIn(before, said('status.currentBuild')) !== 'Succeeded';
}

/** A waiting build continues once it can, even when nobody needs it any more. */
function hadNotEnded(place: string, before: Snapshot): boolean {
  const [, name = ''] = /^(?:CoreBuild|Job|Pod) (\S+-build-[0-9a-f]{12}|built)/.exec(place) ?? [];
  return name !== '' && !['Succeeded', 'Failed', 'Cancelled'].includes(phaseIn(before, name));
}

const phaseIn = (snapshot: Snapshot, build: string): string =>
  JSON.parse(snapshot[`CoreBuild ${build}.status.phase`] ?? '""') as string;

/** An obtained token stays valid, even when its renewer is gone. */
const hasGotToken = (place: string, before: Snapshot): boolean => {
  const [, connection] = /^(CoreGitHostConnection \S+?)\.status\./.exec(place) ?? [];
  return connection !== undefined && before[`${connection}.status.tokenExpiresAt`] === undefined;
};

/**
 * Differences from an earlier quiescent state under the same spec that are not faults: accumulated data, and its
 * consequences.
 */
export const accumulates =
  (before: Snapshot, way: Way | null = null) =>
  (difference: string): boolean => {
    const place = placeOf(difference);
    // Builds are kept when the spec changes, and are deleted with the object that created them.
    const isKept = ofBuilds.test(place) && (way === 'recreate' || difference.endsWith(', undisturbed absent'));
    const isNext = way === 'recreate' && /^CoreApp \S+\.status\.(currentBuild|resolvedImage|conditions)/.test(place);
    return (
      outlives(difference) ||
      isKept ||
      isNext ||
      tellsOfBefore.test(place) ||
      hadNotEnded(place, before) ||
      followsWhatRan(place, before) ||
      hasGotToken(place, before)
    );
  };
