import { causeLength, causesKept, type StoredCause, severities } from '../../crds/cause.ts';
import { defined } from '../defined.ts';
import { isSameJson } from '../sameJson.ts';
import { isoTime, msOf } from '../time.ts';
import { type FoundCause, isSameObject, severityOf } from './cause.ts';
import type { CauseReason } from './reasons.ts';
import { oneLine } from './oneLine.ts';

/** How long a change of words alone waits after the last one. */
const rewordedOnceInMs = 60_000;
/** How long a change of count and time alone waits: a kubelet starts a program that ends again at rising intervals. */
const countedOnceInMs = 180_000;

/** What a pass found, and whether the object was given up. */
export interface Findings {
  readonly found: readonly FoundCause[];
  readonly gaveUp: boolean;
}

export const noFindings: Findings = { found: [], gaveUp: false };

/** What a pass knows besides its findings. */
interface Beside {
  /** Whether the status is written anyway. */
  readonly isWritten?: () => boolean;
  /** Whether a namespace is being deleted. */
  readonly isTerminating?: (namespace: string) => boolean;
}

/** The causes to record, and when they change by time alone (ms); null for never. */
export interface Recorded {
  readonly causes: readonly StoredCause[];
  readonly changesAt: number | null;
}

type Identity = Pick<StoredCause, 'of' | 'reason' | 'on'>;

const isSame = (one: Identity, other: Identity): boolean =>
  one.of === other.of && one.reason === other.reason && isSameObject(one.on, other.on);

const rank = ({ severity }: StoredCause): number => severities.indexOf(severity);

/**
 * Compares what a pass found with the recorded causes: a cause keeps its beginning while its identity stays, and a
 * change of words alone is recorded at most once a minute and one of count or time at most once in three, or with
 * whatever else is written. What was given up keeps a cause that is over, as resolved, until it is retried.
 */
export function recordedCauses(
  before: readonly StoredCause[],
  { found, gaveUp }: Findings,
  now: number,
  { isWritten = () => false, isTerminating = () => false }: Beside = {},
): Recorded {
  const current: StoredCause[] = [];
  let changesAt = earliest(found.map(({ changesAt: at }) => at));
  for (const cause of found.map((one) => storedOf(one, gaveUp, now))) {
    if (current.some((other) => isSame(other, cause))) continue;
    const known = before.find((other) => isSame(other, cause));
    const unchanged = known && heldBack(known, cause, now);
    const held = unchanged && !isWritten() ? unchanged : null;
    if (held) changesAt = earliest([changesAt, held.until]);
    current.push(held?.cause ?? continued(known, cause, now));
  }
  const isHindered = current.some(hinders);
  const over = gaveUp && !isHindered ? before.filter(hinders).map((cause) => afterwards(cause, isTerminating)) : [];
  const causes = [...over, ...current].toSorted((one, other) => rank(one) - rank(other)).slice(0, causesKept);
  return { causes, changesAt };
}

/** Whether a cause may have been the end of an attempt. */
const hinders = ({ of, severity }: Pick<StoredCause, 'of' | 'severity'>): boolean =>
  of === 'Ready' && (severity === 'failure' || severity === 'waiting');

/** Reasons of failed actions: as nothing is tried any more, nobody knows whether they would fail again. */
const unobserved: readonly string[] = ['ClusterRefused', 'ForeignObject', 'QuotaExceeded'] satisfies CauseReason[];

/** The cause of an object that was given up, once it is not found any more. */
function afterwards(cause: StoredCause, isTerminating: NonNullable<Beside['isTerminating']>): StoredCause {
  const { reason, on } = cause;
  const lasts = reason === 'NamespaceTerminating' ? isTerminating(on.name) : unobserved.includes(reason);
  const { resolved: _, ...lasting } = cause;
  return { ...lasting, gaveUp: true, ...(lasts ? {} : { resolved: true }) };
}

function storedOf(found: FoundCause, gaveUp: boolean, now: number): StoredCause {
  const { of = 'Ready', message, on, root, ...counts } = found;
  const severity = severityOf(found);
  const { text, params } = oneLine(message, causeLength);
  return {
    of,
    reason: found.reason,
    severity,
    message: text,
    ...(params === undefined ? {} : { params }),
    on: { kind: on.kind, name: on.name, namespace: on.namespace },
    ...(root === undefined ? {} : { root }),
    since: isoTime(now),
    ...defined({ count: counts.count, lastAt: counts.lastAt, exitCode: counts.exitCode, logLine: counts.logLine }),
    ...(gaveUp && hinders({ of, severity }) ? { gaveUp } : {}),
  };
}

/** A recorded cause that stays as it is until a moment (ms). */
interface Held {
  readonly cause: StoredCause;
  readonly until: number;
}

/** The recorded cause, when only its count, time or words changed and that was recorded lately. */
function heldBack(known: StoredCause, cause: StoredCause, now: number): Held | null {
  const { lastAt, count } = known;
  const onceInMs = count === undefined ? rewordedOnceInMs : countedOnceInMs;
  if (lastAt === undefined || Math.abs(now - msOf(lastAt)) >= onceInMs) return null;
  const isRecorded = isSameJson(wordsOf(known), wordsOf(cause));
  if (isRecorded || !isSameJson(lastingOf(known), lastingOf(cause))) return null;
  return { cause: known, until: msOf(lastAt) + onceInMs };
}

type Words = Pick<StoredCause, 'message' | 'count' | 'exitCode' | 'logLine'> & { readonly lastAt?: string | undefined };
const wordsOf = ({ message, count, lastAt, exitCode, logLine }: Words) => [message, count, lastAt, exitCode, logLine];
const lastingOf = ({ severity, root, gaveUp, resolved: isOver }: StoredCause) => [severity, root, gaveUp, isOver];

/** The cause with the beginning of the recorded one; without a time of its own, `lastAt` says when its words changed. */
function continued(known: StoredCause | undefined, cause: StoredCause, now: number): StoredCause {
  if (!known) return cause;
  const isReworded = !isSameJson(wordsOf({ ...known, lastAt: undefined }), wordsOf({ ...cause, lastAt: undefined }));
  const lastAt = cause.lastAt ?? (isReworded ? isoTime(now) : known.lastAt);
  return { ...cause, since: known.since, ...(lastAt === undefined ? {} : { lastAt }) };
}

function earliest(times: readonly (number | null | undefined)[]): number | null {
  const known = times.filter((time) => time !== null && time !== undefined);
  return known.length === 0 ? null : Math.min(...known);
}
