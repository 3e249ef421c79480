import { plural } from '../../../http/dashboard/model/plural.ts';
import type { Outcome } from '../outcome.ts';
import { percent, survivorsOf } from './figures.ts';
import { type Child, h, type Markup } from './html.ts';
import { chip } from './components.ts';

/** How many mutants each check caught, the most effective check first. */
function catchers({ mutants }: Outcome): readonly (readonly [name: string, count: number])[] {
  const counts = new Map<string, number>();
  for (const { caughtBy } of mutants ?? []) if (caughtBy) counts.set(caughtBy, (counts.get(caughtBy) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a);
}

const survivors = (outcome: Outcome): readonly Child[] => {
  const those = survivorsOf(outcome);
  if (those.length === 0) return [];
  return [
    h('p', { class: 'survived' }, `${plural(those.length, 'change')} that no check noticed:`),
    h('ul', { class: 'places' }, ...those.map(({ at, text }) => h('li', {}, h('code', {}, at), ' ', text))),
  ];
};

const unprovenPart = ({ unproven }: Outcome): readonly Child[] => {
  if (unproven === null) return [];
  if (unproven.length === 0) return [h('p', {}, 'Each invariant was broken by a specification that nobody wants.')];
  return [
    h('p', {}, 'No unwanted specification broke ', ...unproven.flatMap((name) => [h('code', {}, name), ' ']), '.'),
  ];
};

/** How many mutants the checks catch, and each survivor. */
export function mutation(outcome: Outcome): Markup {
  const { mutants } = outcome;
  if (mutants === null)
    return h(
      'div',
      { class: 'part' },
      h('h3', {}, 'Mutation'),
      h('p', { class: 'muted' }, outcome.faults.length > 0 ? 'Not run: the faults come first.' : 'Not run.'),
    );
  const share = { met: mutants.length - survivorsOf(outcome).length, of: mutants.length };
  return h(
    'div',
    { class: 'part' },
    h('h3', {}, 'Mutation'),
    h(
      'p',
      {},
      h('b', { class: 'score' }, percent(share)),
      ` of ${plural(share.of, 'mutant')} caught. `,
      ...catchers(outcome).flatMap(([name, count]) => [chip('check', `${name} ${count}`), ' ']),
    ),
    survivors(outcome),
    unprovenPart(outcome),
  );
}
