import type { StoredCause } from '../../crds/cause.ts';
import { defined } from '../defined.ts';
import type { Message } from '../words.ts';
import { type CauseReason, reasons, type Severity } from './reasons.ts';

/** An object of any kind; the namespace is empty for one of the whole cluster. */
export type ObjectRef = StoredCause['on'];

/** The object that a cause comes from, with the reason there. */
export type Root = NonNullable<StoredCause['root']>;

export const isSameObject = (one: ObjectRef, other: ObjectRef): boolean =>
  one.kind === other.kind && one.name === other.name && one.namespace === other.namespace;

/** A cause as one pass finds it, before it is compared with the recorded ones. */
export interface FoundCause extends Pick<StoredCause, 'count' | 'lastAt' | 'exitCode' | 'logLine'> {
  /** What it explains; Ready by default. */
  readonly of?: StoredCause['of'];
  readonly reason: CauseReason;
  /** The severity of its reason by default. */
  readonly severity?: Severity;
  readonly message: Message;
  readonly on: ObjectRef;
  readonly root?: Root | undefined;
  /** When it changes or ends by time alone (ms). */
  readonly changesAt?: number;
}

export const severityOf = ({ severity, reason }: Pick<FoundCause, 'severity' | 'reason'>): Severity =>
  severity ?? reasons[reason];

/** The root of a cause: what it waits for, or the object at fault itself. */
export const rootOf = ({ root, on, reason }: StoredCause): Root => root ?? { ...on, reason };

/** A recorded cause as if it were found anew, for a fact that is gone. */
export const foundAgain = ({
  of,
  reason,
  severity,
  message: text,
  params,
  on,
  root,
  ...cause
}: StoredCause): FoundCause => ({
  of,
  reason: reason as CauseReason,
  severity,
  message: { text, params },
  on,
  root,
  ...defined({ count: cause.count, lastAt: cause.lastAt, exitCode: cause.exitCode, logLine: cause.logLine }),
});
