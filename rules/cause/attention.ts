import type { StoredCause } from '../../crds/cause.ts';
import { hashOf } from '../canonical.ts';
import type { State } from '../state.ts';
import { msOf } from '../time.ts';
import { type Root, rootOf } from './cause.ts';
import type { CauseReason } from './reasons.ts';

/** How urgent an item is, the most urgent first. */
export const attentionWords = ['Failed', 'At risk', 'Crashing', 'Retrying', 'Stuck'] as const;
export type AttentionWord = (typeof attentionWords)[number];

/** How long something may wait or go on by itself before somebody has to know. */
export const stuckAfterMs = 300_000;

/** An object that may need attention. */
export interface Concerned {
  readonly kind: string;
  readonly name: string;
  readonly project: string;
  readonly environment: string;
  readonly state: State;
}

/** An object with one of its causes. */
export interface Concern {
  readonly object: Concerned;
  readonly cause: StoredCause;
}

/** All concerns of one root and reason, as one item. */
export interface Attention {
  readonly id: string;
  readonly root: Root;
  readonly word: AttentionWord;
  /** The reported concern: the worst of the root itself, else the worst of those that wait for it. */
  readonly reported: Concern;
  /** Every other object, in the order of its place. */
  readonly others: readonly Concern[];
}

/** Whether a cause may need attention: nobody has to know of notes, and of a repository without a commit. */
export const isConcern = (cause: StoredCause): boolean =>
  cause.severity !== 'note' && rootOf(cause).reason !== ('FirstPushAwaited' satisfies CauseReason);

/** What the items are grouped by. */
export const attentionKey = (cause: StoredCause): string => {
  const { kind, name, namespace, reason } = rootOf(cause);
  return JSON.stringify([kind, name, namespace, reason]);
};

const attentionId = (key: string): string => hashOf(key).slice(0, 12);

const crashing: readonly string[] = ['CrashLoop', 'OutOfMemory', 'Flapping'] satisfies CauseReason[];
const ofBackups: readonly string[] = ['Backups', 'BackupStorage'] satisfies StoredCause['of'][];

/** The word of one cause; what waits or goes on by itself may become stuck. */
export function wordOf({ object, cause }: Concern): AttentionWord {
  const { of, reason, severity, gaveUp } = cause;
  if (gaveUp === true) return 'Failed';
  if (severity !== 'failure') return 'Stuck';
  if (object.kind === 'CoreBuild' && object.state === 'failed') return 'Failed';
  if (ofBackups.includes(of)) return 'At risk';
  return crashing.includes(reason) ? 'Crashing' : 'Retrying';
}

const rank = (concern: Concern): number => attentionWords.indexOf(wordOf(concern));
const isOwn = ({ cause }: Concern): boolean => cause.root === undefined;
const placeOf = ({ object: { project, environment, kind, name } }: Concern) =>
  `${project}\0${environment}\0${kind}\0${name}`;

const byUrgency = (one: Concern, other: Concern): number =>
  Number(isOwn(other)) - Number(isOwn(one)) ||
  rank(one) - rank(other) ||
  compared(one.cause.since, other.cause.since) ||
  compared(placeOf(one), placeOf(other));

const compared = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** The item of the concerns of one key; null without any. */
export function attentionOf(key: string, concerns: readonly Concern[]): Attention | null {
  const [reported] = concerns.toSorted(byUrgency);
  if (reported === undefined) return null;
  const others = new Map<string, Concern>();
  for (const concern of concerns) {
    const place = placeOf(concern);
    if (place !== placeOf(reported) && !others.has(place)) others.set(place, concern);
  }
  return {
    id: attentionId(key),
    root: rootOf(reported.cause),
    word: attentionWords[Math.min(...concerns.map(rank))] ?? 'Stuck',
    reported,
    others: [...others.entries()].toSorted(([one], [other]) => compared(one, other)).map(([, concern]) => concern),
  };
}

/** Whether an item needs attention at a time (ms): what only waits or goes on does so after five minutes. */
export const isDue = ({ word, reported }: Attention, now: number): boolean =>
  word !== 'Stuck' || msOf(reported.cause.since) + stuckAfterMs <= now;

/** The most urgent word first, then what holds up most, then the newest. */
export const byAttention = (one: Attention, other: Attention): number =>
  attentionWords.indexOf(one.word) - attentionWords.indexOf(other.word) ||
  other.others.length - one.others.length ||
  compared(other.reported.cause.since, one.reported.cause.since) ||
  compared(one.id, other.id);
