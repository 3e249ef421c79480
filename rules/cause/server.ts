import { hidden, nothing, sentence } from '../words.ts';
import type { FoundCause, ObjectRef } from './cause.ts';
import { causesOfCopies, type Copies, copiesReasons } from './copies.ts';
import type { CauseRule } from './rule.ts';

/** A volume claim of a server, and whether it is bound to a volume. */
export interface ServerClaim {
  readonly on: ObjectRef;
  readonly isBound: boolean;
}

/** By the copies of a server and their volumes. */
export const byServer: CauseRule<unknown> = {
  column: 'copies, VolumePending',
  reasons: [...copiesReasons, 'VolumePending'],
  find: (_, { copies }) => copies(),
};

const aboutVolumes = /persistentvolumeclaim|volume/i;

/** The same as of copies; a claim that is not bound precedes a wait that comes from it. */
export function causesOfServer(copies: Copies, claims: readonly ServerClaim[]): readonly FoundCause[] {
  const found = causesOfCopies(copies);
  const [worst] = found;
  const pending = claims.find(({ isBound }) => !isBound);
  if (pending === undefined || !isOfVolumes(worst)) return found;
  const why = worst?.reason === 'Unschedulable' ? worst.message : nothing;
  return [
    {
      reason: 'VolumePending',
      message: sentence('volume claim "{claim}" is not bound{why}', {
        claim: hidden(pending.on.name),
        why: why === nothing ? nothing : sentence(': {why}', { why }),
      }),
      on: pending.on,
    },
  ];
}

const isOfVolumes = (worst: FoundCause | undefined): boolean =>
  worst === undefined ||
  worst.reason === 'CopiesStarting' ||
  (worst.reason === 'Unschedulable' && aboutVolumes.test(worst.message.text));
