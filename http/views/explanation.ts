import type { View } from '../../rules/access/needs.ts';
import { toldFacts } from '../../rules/redaction/facts.ts';
import { moveInWords } from '../../rules/redaction/words.ts';
import type { Explained, TriedRule } from '../../runtime/step/explain.ts';
import type { Operator } from '../../runtime/operator.ts';
import { takeArrow } from '../../runtime/step/machine.ts';
import type { Explanation, Tried } from '../api.ts';
import { isCommand } from './machine.ts';
import { passesOf } from './passes.ts';
import { type Placed, restsUntil, rowOf } from './placed.ts';

/** What is explained, and to whom. */
export interface Explaining {
  readonly name: string;
  readonly explained: Explained;
  readonly view: View;
}

/** Why an instance stands where it stands, with the rows of the table the answer is made of. */
export function explanationOf(operator: Operator, placed: Placed, { name, view, ...given }: Explaining): Explanation {
  const { controller, lifecycle, rows } = placed;
  const explained = view === 'whole' ? given.explained : inWords(lifecycle.name, given.explained);
  const { state, observedAt } = explained;
  const { failure, ...look } = passesOf(operator, controller, name);
  return {
    name,
    machine: lifecycle.name,
    state,
    shown: explained.shown,
    since: explained.since,
    now: explained.now,
    paused: explained.paused,
    text: textOf(explained, operator.isLeading()),
    decision: decisionOf(placed, explained),
    restsUntil: restsUntil(placed, state),
    tried: explained.tried.map((tried) => triedOf(placed, state, tried)),
    facts: toldFacts(lifecycle.name, explained.facts, view),
    ...(observedAt === null && operator.isLeading() ? {} : { observedAt }),
    ...look,
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

/** Whatever was said of the facts, in the words of the table where hidden ones may be in it. */
function inWords(machine: string, explained: Explained): Explained {
  const { state: from, decision, text, tried } = explained;
  const words = (event: string, text: string) => moveInWords({ machine, from, event, text });
  const told = tried.map((one) => (one.says === '' ? one : { ...one, says: words(one.event, one.says) }));
  switch (decision.is) {
    case 'event':
      return { ...explained, tried: told, text: words(decision.rule.then, text) };
    case 'unknown': {
      const { fact } = decision;
      return {
        ...explained,
        tried: told,
        decision: { ...decision, why: '' },
        text: `${String(fact)} could not be read`,
      };
    }
    case 'ask':
    case 'nothing':
      return { ...explained, tried: told };
  }
}

/** A replica that stands by does not know whether the fact was asked for, and will not ask for it itself. */
function textOf({ decision, text }: Explained, isLeading: boolean): string {
  if (isLeading || decision.is !== 'ask') return text;
  return `what moves it next hangs on a fact that only the leader asks for: ${String(decision.fact)}`;
}

function triedOf({ rows }: Placed, state: string, { rule, event, held, says }: TriedRule): Tried {
  const row = rowOf(rows, { from: state, event });
  return { rule, ...(row ? { row: row.id } : {}), event, held, says };
}

function decisionOf({ lifecycle, rows }: Placed, { state, decision }: Explained): Explanation['decision'] {
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
      return { is: 'unknown', fact: String(decision.fact), why: decision.why };
    case 'nothing':
      return { is: 'rests' };
  }
}

/** Where an event leads; from and to absence the table alone has arrows. */
function takenOf(
  { machine }: Placed['lifecycle'],
  rows: Placed['rows'],
  of: { readonly from: string; readonly event: string },
): { readonly to: string; readonly actions: readonly unknown[] } {
  const taken = takeArrow(machine, of.from, of.event);
  if (taken) return taken;
  const row = rowOf(rows, of);
  return { to: row === undefined || row.to === 'same' ? of.from : row.to, actions: row?.does ?? [] };
}
