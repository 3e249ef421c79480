import type { ProvisionRetryFacts } from '../../../rules/provisionRetry/facts.ts';
import type { Part } from '../../check/joint/joint.ts';
import { lifecycle as provisionRetry } from '../provisionRetry.ts';

/** `status.reconcileRetry` of a joint world, in which time is only as precise as the rules can distinguish. */
export interface Row {
  readonly gaveUp: boolean;
  readonly failures: number;
  /** The age of the counter's clock; it is old after three minutes. */
  readonly clock: null | 'young' | 'old';
  /** Whether a failure was counted less than half a minute ago. */
  readonly recent: boolean;
  readonly kind: string;
  /** Whether the spec was written since a failure was counted or provisioning was given up. */
  readonly edited: boolean;
  /** Whether `deploy-revision` differs from the last one that was processed. */
  readonly redeployed: boolean;
  /** The observer's own clock: whether half a minute passed since it saw a failure counted. */
  readonly rested: boolean;
  /** Whether the observer ever saw two failures counted within half a minute. */
  readonly hurried: boolean;
}

export const clean: Row = {
  gaveUp: false,
  failures: 0,
  clock: null,
  recent: false,
  kind: '',
  edited: false,
  redeployed: false,
  rested: true,
  hurried: false,
};

export const now = 1_800_000_000_000;
const ages = { young: 0, old: 180_000 } as const;

/** The lens of `provisionRetry`. */
export function readRow({ gaveUp, failures }: Row): string {
  if (gaveUp) return 'ProvisionFailed';
  return failures > 0 ? 'Counting' : 'Clean';
}

export const rowFacts = ({
  failures,
  clock,
  recent,
  kind,
  edited,
  redeployed,
}: Row): Omit<ProvisionRetryFacts, 'deleted' | 'rowOf' | 'outcome'> => ({
  now,
  asked: null,
  generation: edited ? 2 : 1,
  redeployed,
  failures,
  startedAt: clock === null ? null : now - ages[clock],
  failedGeneration: 1,
  lastFailureAt: recent ? now : null,
  countedKind: kind,
});

const kindOf = ({ outcome }: ProvisionRetryFacts): string =>
  outcome.is === 'known' && outcome.value.is === 'failed' ? outcome.value.kind : '';

/** Counted according to the fields, and according to the observer. */
const counted = (row: Row, facts: ProvisionRetryFacts): Row => ({
  ...row,
  recent: true,
  kind: facts.rowOf === 'oneKind' ? kindOf(facts) : '',
  rested: false,
  hurried: row.hurried || !row.rested,
});

type Does = Readonly<Record<string, (row: Row, facts: ProvisionRetryFacts) => Row>>;

/** What the actions of `provisionRetry` write. */
export const rowDoes: Does = {
  beginRow: (row, facts) => ({ ...counted(row, facts), failures: 1, clock: 'young', edited: false }),
  countFailure: (row, facts) => ({
    ...counted(row, facts),
    failures: row.failures + 1,
    clock: row.clock ?? 'young',
  }),
  giveUp: (row, facts) => ({
    ...counted(row, facts),
    gaveUp: true,
    failures: row.failures + 1,
    clock: null,
    edited: false,
  }),
  giveUpAtOnce: (row) => ({ ...row, gaveUp: true, failures: 0, clock: null, edited: false }),
  stopClock: (row) => ({ ...row, clock: null }),
  clearRow: (row) => ({ ...row, gaveUp: false, failures: 0, clock: null, kind: '', edited: false }),
  takeUpDeploy: (row) => ({ ...row, redeployed: false }),
};

/** The spec is written; nothing depends on the generation of a clean counter. */
export const edited = (row: Row): Row => (readRow(row) === 'Clean' ? row : { ...row, edited: true });

/** Half a minute later, or three minutes later, as far as the rules can distinguish. */
export const later = (row: Row): readonly Row[] => {
  const rested = { ...row, recent: false, rested: true };
  const isRested = !row.recent && row.rested;
  return [...(isRested ? [] : [rested]), ...(row.clock === 'young' ? [{ ...rested, clock: 'old' as const }] : [])];
};

/** The row of a resource in its joint world. */
export const rowPart = <World extends { readonly row: Row }>(facts: Part<World>['facts']): Part<World> => ({
  subject: provisionRetry,
  kept: 'status',
  read: ({ row }) => readRow(row),
  enter: (world) => world,
  facts,
  does: Object.fromEntries(
    Object.entries(rowDoes).map(([name, write]) => [
      name,
      (world: World, known: ProvisionRetryFacts) => ({ ...world, row: write(world.row, known) }),
    ]),
  ),
});
