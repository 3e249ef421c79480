import { annotation } from '../../crds/names.ts';
import type { Overwritten, Unmanaged } from './diff.ts';
import { displayName } from './displayName.ts';

/** Why an object under a wanted name is left alone, and what helps. */
export const unmanagedMessage = ({ ref, reason }: Unmanaged): string =>
  reason.is === 'notOurs'
    ? `${displayName(ref)} stands already and is not Core's`
    : `${displayName(ref)} was made for another ${reason.kind} ${reason.name}; annotate this one ${annotation.adopt}=true to take it over`;

/** Which other manager keeps changing an object, and how Core answers that. */
export const overwrittenMessage = ({ ref, by }: Overwritten): string =>
  `${displayName(ref)} is taken back by ${by} again and again; it is applied every 10 minutes`;
