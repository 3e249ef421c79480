import type { Check } from '../../../../rules/nextCheck.ts';
import type { Explanation, Machine, Transitions } from '../../../api.ts';
import { attemptCountOf } from '../../model/attemptCount.ts';
import { plural } from '../../model/plural.ts';
import { capital } from '../../model/capital.ts';
import { checkOf } from '../../model/nextCheck.ts';

interface Noted {
  readonly text: string;
  readonly until?: string | null;
}

/** What the banner says of an instance of any machine. */
export interface InstanceWords {
  readonly sentence: string;
  readonly attempt: { readonly n: number; readonly of: number } | null;
  readonly due: (Check & { readonly label: string }) | null;
  readonly notes: readonly Noted[];
}

const stopped = (text: string): string => (text === '' || text.endsWith('.') ? text : `${text}.`);

/** Whether a machine is in a final state: later passes over its object are for other machines. */
export const isFinal = ({ state }: Pick<Explanation, 'state'>, machine: Machine | undefined): boolean =>
  machine?.states.some((one) => one.final && one.name === state) ?? false;

const dueOf = (explanation: Explanation, isOver: boolean): InstanceWords['due'] => {
  const { failure, decision, paused } = explanation;
  const check = checkOf(explanation);
  if (check === null || paused || isOver) return null;
  const isTried = Boolean(failure) || decision.is === 'unknown';
  return { label: isTried ? 'Next try' : 'Next check', ...check };
};

/** What comes next, where no moment for it is announced. */
function restOf(explanation: Explanation, isOver: boolean): string {
  const { state, nextCheckAt, decision, restsUntil } = explanation;
  if (isOver && restsUntil !== null) return `This state is final (${restsUntil}).`;
  if (typeof nextCheckAt === 'string')
    return decision.is === 'asks' ? `The next check asks for \`${decision.fact}\`.` : '';
  if (nextCheckAt === null)
    return decision.is === 'rests'
      ? 'No automatic next step, as far as this standby sees.'
      : 'This replica is a standby. Only the leader knows the next check and whether it fails.';
  if (state === '(deleted)') return 'Ended; the object is removed once nothing else holds it.';
  return restsUntil === null ? 'No automatic next step.' : `Rests until: ${restsUntil}.`;
}

/** Whether no rule says anything of an instance at rest. */
const hasNoMessage = ({ decision, tried }: Explanation): boolean =>
  decision.is === 'rests' && tried.every(({ held }) => held !== 'yes');

/** The newest move into the state: it says more than that there is nothing to do. */
function messageOfMove({ machine, state }: Explanation, moves: Transitions['items']): string {
  const led = moves.filter((move) => move.machine === machine && move.to === state).toSorted((a, b) => b.seq - a.seq);
  return led[0]?.text ?? '';
}

const nextOf = (explanation: Explanation, isOver: boolean): string => {
  const { paused, failure, decision } = explanation;
  if (paused) return 'Paused: no automatic step until its annotation `core.platform/paused` is removed.';
  if (failure) return `The attempt failed ${plural(failure.count, 'time')}: ${failure.text}.`;
  if (decision.is === 'unknown') return `The fact \`${decision.fact}\` could not be read: ${decision.why}.`;
  return restOf(explanation, isOver);
};

interface WordsInput {
  readonly explanation: Explanation;
  readonly moves: Transitions['items'];
  /** Its machine, undefined until that is read. */
  readonly machine: Machine | undefined;
}

/** Why an instance is in its state, and until when. */
export function instanceWords({ explanation, moves, machine }: WordsInput): InstanceWords {
  const isOver = isFinal(explanation, machine);
  const next = nextOf(explanation, isOver);
  return {
    sentence: capital(
      hasNoMessage(explanation) ? messageOfMove(explanation, moves) || explanation.text : explanation.text,
    ),
    attempt: attemptCountOf(explanation),
    due: dueOf(explanation, isOver),
    notes: [
      ...(next === '' ? [] : [{ text: next }]),
      ...explanation.notes.map(({ text, until }) => ({ text: until === null ? stopped(text) : text, until })),
    ],
  };
}
