import type { StoredCause } from '../../crds/cause.ts';
import { type Message, sentence } from '../words.ts';
import { type FoundCause, type ObjectRef, rootOf } from './cause.ts';
import { copiesReasons } from './copies.ts';
import type { JobRole, JobSeen } from './jobSeen.ts';
import type { CauseReason } from './reasons.ts';

/** What the rows of a verdict table may read for their causes, beside their facts. */
export interface CauseInput {
  /** The object that the table is about. */
  readonly self: ObjectRef;
  /** The message of the row. */
  readonly message: Message;
  /** Why the pods of the newest revision do not run, or did not run lately. */
  readonly copies: () => readonly FoundCause[];
  /** The worst recorded cause of another object of ours. */
  readonly causeOf: (kind: string, name: string) => StoredCause | undefined;
  /** A Job that works for the object. */
  readonly job?: (role: JobRole) => JobSeen | undefined;
}

/** The cause of a row: its reasons, as its table names them, and how it is found. */
export interface CauseRule<in Facts> {
  /** What the column `cause` says. */
  readonly column: string;
  readonly reasons: readonly CauseReason[];
  readonly find: (facts: Facts, input: CauseInput) => readonly FoundCause[];
}

/** A cause by facts of the row; it may say more than the message. */
export const found = <Facts>(reasons: readonly CauseReason[], find: CauseRule<Facts>['find']): CauseRule<Facts> => ({
  column: reasons.join(', '),
  reasons,
  find,
});

/** A message that is its own cause; `on` names the object at fault, the object itself by default. */
export const itself = <Facts>(
  reason: CauseReason,
  on?: (facts: Facts) => Pick<ObjectRef, 'kind' | 'name'> & Partial<ObjectRef>,
): CauseRule<Facts> =>
  found([reason], (facts, { self, message }) => [
    { reason, message, on: { namespace: self.namespace, ...(on?.(facts) ?? self) } },
  ]);

/** A wait for another object of ours: its worst cause is the root. */
export const waitsFor = <Facts>(
  reason: CauseReason,
  on: (facts: Facts) => Pick<ObjectRef, 'kind' | 'name'>,
): CauseRule<Facts> =>
  found([reason], (facts, input) => {
    const { kind, name } = on(facts);
    return [waiting(reason, { kind, name, namespace: input.self.namespace }, input)];
  });

/** A wait for an object: the message of the row, and what that object says of itself. */
export function waiting(
  reason: CauseReason,
  on: ObjectRef,
  { message, causeOf }: Pick<CauseInput, 'message' | 'causeOf'>,
): FoundCause {
  const worst = causeOf(on.kind, on.name);
  if (worst === undefined) return { reason, message, on };
  const { message: text, params } = worst;
  return {
    reason,
    message: sentence('{waits}: {root}', { waits: message, root: { text, params } }),
    on,
    root: rootOf(worst),
  };
}

/** By the pods of the newest revision. */
export const byCopies: CauseRule<unknown> = {
  column: 'copies',
  reasons: copiesReasons,
  find: (_, { copies }) => copies(),
};

/** The causes of the first rule that finds any. */
export const firstOf = <Facts>(...rules: readonly CauseRule<Facts>[]): CauseRule<Facts> => ({
  column: [...new Set(rules.flatMap(({ column }) => column.split(', ')))].join(', '),
  reasons: [...new Set(rules.flatMap((rule) => rule.reasons))],
  find: (facts, input) => {
    for (const rule of rules) {
      const causes = rule.find(facts, input);
      if (causes.length > 0) return causes;
    }
    return [];
  },
});

/** Given up, or being retried: the cause is that of the row that would hold otherwise. */
export const kept: CauseRule<unknown> = { column: 'kept', reasons: [], find: () => [] };

/** A draft waits for its owner alone. */
export const draft: CauseRule<unknown> = { column: 'draft', reasons: [], find: () => [] };
