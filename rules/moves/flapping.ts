import type { HistoryEntry } from '../../crds/kind.ts';
import { isWithin, msOf } from '../time.ts';

/** So many moves out of one state within this time are flapping. */
const flapsFrom = 3;
const withinMs = 600_000;
/** A state that was left sooner was not rested in; the times of moves lie so close when the clock was set back. */
const restedForMs = 1_000;
/** Moves of one pass are a millisecond apart; what lies further ahead is of a clock that was set back since. */
const aheadMs = 100;

/** What flapping is read from: the kept moves of an object, oldest first, and one machine of it. */
export interface FlappingInput {
  readonly moves: readonly HistoryEntry[];
  readonly machine: string;
  /** The states in which the machine rests. */
  readonly rests: readonly string[];
  readonly now: number;
}

/** How often a machine left one state in the ten minutes before it left it last, and when that is over (ms). */
export interface Flapping {
  readonly state: string;
  readonly count: number;
  readonly endsAt: number;
}

/** Events that a person caused: by a command, a visit, or an edit of the spec or of the status. */
const asked: ReadonlySet<string> = new Set([
  'changeSaved',
  'deletionFound',
  'deletionSeen',
  'deployTakenUp',
  'deployed',
  'fellAsleep',
  'finalBackupDue',
  'gateClosed',
  'gateOpened',
  'movedOutside',
  'pushed',
  'rebuildAsked',
  'redeployAsked',
  'redeployFound',
  'resetFound',
  'retryAsked',
  'specChanged',
  'generationChanged',
  'woken',
]);
/** The event after which copies are replaced, for what is wanted has changed. */
const applied = 'workloadDue';

/** Null unless a machine left one state three times in ten minutes without being asked to. */
export function flappingOf({ now, ...input }: FlappingInput): Flapping | null {
  for (const state of input.rests) {
    const times = timesLeft(input, state);
    const [last, third] = [times.at(-1), times.at(-flapsFrom)];
    if (last === undefined || third === undefined || !isWithin(now, third, withinMs) || last > now + aheadMs) continue;
    return { state, count: times.filter((at) => at > last - withinMs).length, endsAt: third + withinMs };
  }
  return null;
}

/** When a machine left a state by itself, oldest first (ms). */
function timesLeft({ moves, machine }: Omit<FlappingInput, 'now'>, state: string): readonly number[] {
  const own = moves.filter((move) => move.machine === machine && move.item === undefined);
  return own.flatMap((move, index) => {
    const before = own[index - 1];
    return isLeft(move, state) && isOwnAccord(move, before) && hasRested(move, before) ? [msOf(move.at)] : [];
  });
}

const isLeft = ({ from, to }: HistoryEntry, state: string): boolean => from === state && to !== state;

const isOwnAccord = ({ by, rule, event }: HistoryEntry, before: HistoryEntry | undefined): boolean =>
  by === 'operator' && rule !== undefined && !asked.has(event) && before?.event !== applied;

const hasRested = ({ at }: HistoryEntry, before: HistoryEntry | undefined): boolean =>
  before === undefined || msOf(at) - msOf(before.at) >= restedForMs;
