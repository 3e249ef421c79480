import * as fc from 'fast-check';
import type { DraftDeployState } from '../../../machines/names.ts';
import type { TriedDeploy } from '../../../rules/provision/ready.ts';
import type { RetrySeen } from '../../../rules/provisionRetry/facts.ts';
import { closed } from '../../../rules/words.ts';

/** Mostly the usual value, which is in nobody's way, so that late checks are covered too. */
export const oftenBy =
  (weight: number) =>
  <T>(usual: T, ...others: readonly T[]): fc.Arbitrary<T> =>
    fc.oneof({ weight, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(usual, ...others) });

/** The state of the gate; mostly one that lets it be provisioned. */
export const gate = fc.constantFrom<DraftDeployState[]>(
  'Draft',
  'Deployed',
  'PendingChanges',
  'Ungated',
  'Deployed',
  'Ungated',
  'Deployed',
  'PendingChanges',
  'SnapshotMissing',
);

/** What the counted-failure rule came to in the pass; mostly nothing. */
export const retry: fc.Arbitrary<RetrySeen> = fc.record({
  state: fc.constantFrom('Clean', 'Clean', 'Clean', 'Counting', 'ProvisionFailed'),
  event: fc.constantFrom(
    null,
    null,
    null,
    'rowBegan',
    'failureCounted',
    'failureRepeated',
    'limitReached',
    'timeRanOut',
    'permanentlyFailed',
    'generationChanged',
    'redeployFound',
    'stayedFailed',
  ),
});

/** How far it came, for the Ready condition; mostly it is deployed and in service. */
export function course(usually: ReturnType<typeof oftenBy>): {
  readonly [Name in keyof TriedDeploy]: fc.Arbitrary<TriedDeploy[Name]>;
} {
  return {
    gate: usually<TriedDeploy['gate']>('Deployed', 'Draft', 'SnapshotMissing', 'PendingChanges', 'Ungated'),
    retrying: usually(false, true),
    gaveUp: usually<TriedDeploy['gaveUp']>(
      null,
      { by: 'failures' },
      { by: 'permanentError', why: closed('access denied') },
    ),
  };
}
