import type { View } from '../../rules/access/needs.ts';
import { visibleFacts } from '../../rules/redaction/facts.ts';
import { moveInWords } from '../../rules/redaction/words.ts';
import { joined, textFor } from '../../rules/words.ts';
import type { Explained, TriedRule } from '../../runtime/step/explain.ts';
import { takeArrow } from '../../runtime/step/machine.ts';
import type { Explanation, Note, Tried } from '../routes/machines/explanation.ts';
import { isCommand } from './machine.ts';
import type { Passes } from './passes.ts';
import { restsUntil, rowOf, type Tabled } from './placed.ts';

/** The instance to explain, what this replica knows of it, and the view of the reader. */
export interface Explaining {
  readonly name: string;
  readonly explained: Explained;
  readonly passes: Passes;
  readonly notes: readonly Note[];
  readonly isLeading: boolean;
  readonly view: View;
}

/** Explains why an instance is in its state, with the rows of the table that lead to the answer. */
export function explanationOf(placed: Tabled, explaining: Explaining): Explanation {
  const { lifecycle, rows } = placed;
  const { name, explained, passes, notes, isLeading, view } = explaining;
  const { state, observedAt } = explained;
  const { failure, ...look } = passes;
  return {
    name,
    machine: lifecycle.name,
    state,
    shown: explained.shown,
    since: explained.since,
    now: explained.now,
    paused: explained.paused,
    text: textOf(placed, explaining),
    decision: decisionOf(placed, explained, view),
    restsUntil: restsUntil(placed, state),
    tried: explained.tried.map((tried) => triedOf(placed, explaining, tried)),
    facts: visibleFacts(lifecycle.name, explained.facts, view),
    ...(observedAt === null && isLeading ? {} : { observedAt }),
    ...look,
    notes,
    next: rows
      .filter(({ from }) => from.includes(state))
      .map(({ id, event, to, when }) => ({
        row: id,
        event,
        to: to === 'same' ? state : to,
        when,
        command: isCommand(lifecycle, event),
      })),
    ...(failure === undefined
      ? {}
      : { failure: failure && view !== 'whole' ? { ...failure, text: 'a pass failed' } : failure }),
  };
}

/**
 * What keeps failing is told where nothing else moves it. A standby does not know whether the fact was asked for, and
 * will not ask for it itself.
 */
function textOf(placed: Tabled, { explained, view, isLeading }: Explaining): string {
  const { lifecycle } = placed;
  const { state: from, decision, says, failing } = explained;
  if (failing.length > 0 && staysIn(placed, explained)) return textFor(joined(failing, '; '), view) ?? '';
  if (decision.is === 'ask' && !isLeading)
    return `what moves it next hangs on a fact that only the leader asks for: ${String(decision.fact)}`;
  if (decision.is !== 'event') return textFor(says, view) ?? '';
  return moveInWords({ machine: lifecycle.name, from, event: decision.rule.then, ...says }, view);
}

/** Whether the decision leads to no other state. */
const staysIn = ({ lifecycle, rows }: Tabled, { state, decision }: Explained): boolean =>
  decision.is === 'nothing' ||
  (decision.is === 'event' && takenOf(lifecycle, rows, { from: state, event: decision.rule.then }).to === state);

function triedOf({ lifecycle, rows }: Tabled, { explained, view }: Explaining, tried: TriedRule): Tried {
  const { rule, event, held, says } = tried;
  const from = explained.state;
  const row = rowOf(rows, { from, event });
  const words = moveInWords({ machine: lifecycle.name, from, event, ...says }, view);
  return { rule, ...(row ? { row: row.id } : {}), event, held, says: words };
}

function decisionOf({ lifecycle, rows }: Tabled, { state, decision }: Explained, view: View): Explanation['decision'] {
  switch (decision.is) {
    case 'event': {
      const { then: event, id: rule, look } = decision.rule;
      const { to, actions } = takenOf(lifecycle, rows, { from: state, event });
      if (to === state && actions.length === 0 && look === undefined) return { is: 'rests' };
      const row = rowOf(rows, { from: state, event, to });
      return { is: 'moves', event, rule, to, ...(row ? { row: row.id } : {}) };
    }
    case 'ask':
      return { is: 'asks', fact: String(decision.fact) };
    case 'unknown':
      return { is: 'unknown', fact: String(decision.fact), why: view === 'whole' ? decision.why : '' };
    case 'nothing':
      return { is: 'rests' };
  }
}

/** The target of an event; only the table has arrows from and to absence. */
function takenOf(
  { machine }: Tabled['lifecycle'],
  rows: Tabled['rows'],
  of: { readonly from: string; readonly event: string },
): { readonly to: string; readonly actions: readonly unknown[] } {
  const arrow = takeArrow(machine, of.from, of.event);
  if (arrow) return arrow;
  const row = rowOf(rows, of);
  return { to: row === undefined || row.to === 'same' ? of.from : row.to, actions: row?.does ?? [] };
}
