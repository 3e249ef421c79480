import type { Lifecycle } from './project.ts';

/** An event in the states that a row leads from. */
export interface Way {
  readonly from: readonly string[];
  readonly event: string;
}

const listed = (names: readonly string[]) => names.join(', ');

/** The machine's arrows of a way, those that one line writes told together. */
export function arrowTexts({ from, event }: Way, { places, subject }: Lifecycle): readonly string[] {
  const states = new Map<string, string[]>();
  for (const state of from) {
    const at = places.arrows[`${state} ${event}`] ?? `${subject.files.machine} HAS NO ARROW`;
    states.set(at, [...(states.get(at) ?? []), state]);
  }
  return [...states].map(([at, those]) => `${at} ${event} from ${listed(those)}`);
}

/** The rules that yield the event in those states, each with its turn among the rules of the state. */
export function ruleTexts({ from, event }: Way, { places, subject }: Lifecycle): readonly string[] {
  const { rules, files } = subject;
  return rules
    .filter(({ then, in: states }) => then === event && states.some((state) => from.includes(state)))
    .map(({ id, in: states }) => {
      const turns = from.filter((state) => states.includes(state)).map((state) => turnOf(id, state, subject.rules));
      return `${places.rules[id] ?? files.rules} ${id}: ${turns.join(', ')}`;
    });
}

function turnOf(id: string, state: string, rules: Lifecycle['subject']['rules']): string {
  const turns = rules.filter((rule) => rule.in.includes(state)).map((rule) => rule.id);
  return `number ${turns.indexOf(id) + 1} of ${turns.length} in ${state}`;
}
