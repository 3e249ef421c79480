import { h, type Markup } from './html.ts';

const meanings: readonly (readonly [term: string, meaning: string])[] = [
  ['Fault', 'A place where a table, its machine, its rules or an invariant disagree; a run with one fails.'],
  ['Row', 'One line of a transition table: in these states, when this happened, that follows.'],
  [
    'Stated, inferred, ours',
    'Whether the documents say a row, whether it follows from them, or whether it is our decision.',
  ],
  ['Arrow', 'A row taken apart: one for each state that it leads from.'],
  ['Walked', 'How often the search and the random lives went along a row; one that was never taken is not proven.'],
  ['World', 'One situation around the lifecycle: what is stored, what others did, what time it is.'],
  ['All, cut off', 'Whether every world inside the bound was seen, or the search ended before.'],
  ['Step', 'What leads from a world to the next: a pass with its rules, something asked for, or a move of the world.'],
  ['Invariant', 'What holds in every life: always, never, or in the end when it is left alone.'],
  ['Checked on', 'On how many states or steps an invariant was looked at.'],
  ['Rule', 'Tells what happened from the facts; the first one of a state that holds decides.'],
  ['Held', 'For how many generated facts a rule or a verdict was the one that decided.'],
  ['Verdict', 'A reason and its message; the first row of its table that holds is the one that is told.'],
  ['Mutant', 'A deliberate mistake in the machine, a rule or a limit; a check that is worth its name catches it.'],
  ['Survivor', 'A mutant that no check caught, so that this very mistake could be made unnoticed.'],
  [
    'Provisional',
    'No controller gathers the facts of the lifecycle yet; its table and rules are checked all the same.',
  ],
];

/** What each number of the page means, in a sentence. */
export const legend = (): Markup =>
  h(
    'details',
    { class: 'legend-box' },
    h('summary', {}, 'What the numbers mean'),
    h('dl', {}, ...meanings.map(([term, meaning]) => h('div', {}, h('dt', {}, term), h('dd', {}, meaning)))),
  );
