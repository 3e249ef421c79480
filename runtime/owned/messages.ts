import { annotation } from '../../crds/names.ts';
import type { Overwritten, Unmanaged } from './diff.ts';
import { displayName } from './displayName.ts';

/** Why an object with a desired name is not changed, and what helps. */
export const unmanagedMessage = ({ ref, reason }: Unmanaged): string =>
  reason.is === 'notOurs'
    ? `${displayName(ref)} already exists and is not managed by Core`
    : `${displayName(ref)} was made for another ${reason.kind} ${reason.name}; annotate this one ${annotation.adopt}=true to take it over`;

/** Which manager keeps overwriting an object, and what Core does. */
export const overwrittenMessage = ({ ref, by }: Overwritten): string =>
  `${displayName(ref)} keeps being overwritten by ${by}; it is reapplied every 10 minutes`;
