import { selects } from '../nodes/expression.ts';
import { milli } from '../nodes/quantity.ts';
import type { Claim, Volume } from './volumeShapes.ts';

export const storageAsked = ({ spec }: Claim): number => milli(spec?.resources?.requests?.['storage']);
const storageOf = ({ spec }: Volume): number => milli(spec?.capacity?.['storage']);

/** Whether a volume is kept for a claim. */
export function isFor({ spec }: Volume, { metadata }: Claim): boolean {
  const { namespace, name, uid } = spec?.claimRef ?? {};
  return namespace === metadata.namespace && name === metadata.name && (uid === undefined || uid === metadata.uid);
}

/** The smallest volume that does what a claim asks for; one that is kept for it comes first. */
export function matching(claim: Claim, volumes: readonly Volume[]): Volume | undefined {
  const alive = volumes.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const named = claim.spec?.volumeName;
  if (named !== undefined && named !== '')
    return alive.find((one) => one.metadata.name === named && (!one.spec?.claimRef || isFor(one, claim)));
  const kept = alive.find((one) => one.spec?.claimRef && isFor(one, claim));
  if (kept) return kept;
  const [smallest] = alive
    .filter((one) => !one.spec?.claimRef && suits(one, claim))
    .sort((a, b) => storageOf(a) - storageOf(b) || (a.metadata.name < b.metadata.name ? -1 : 1));
  return smallest;
}

function suits(volume: Volume, claim: Claim): boolean {
  const { storageClassName = '', accessModes = [], volumeMode = 'Filesystem' } = volume.spec ?? {};
  const asked = claim.spec ?? {};
  return (
    storageClassName === (asked.storageClassName ?? '') &&
    volumeMode === (asked.volumeMode ?? 'Filesystem') &&
    (asked.accessModes ?? []).every((mode) => accessModes.includes(mode)) &&
    (asked.selector === undefined || selects(asked.selector, volume.metadata.labels)) &&
    storageOf(volume) >= storageAsked(claim)
  );
}
