import { plural } from '../../http/dashboard/model/plural.ts';
import type { Outcome } from './outcome.ts';
import { figuresOf, survivorsOf, totalOf } from './page/figures.ts';
import { type Child, h, type Markup } from './page/html.ts';
import { legend } from './page/legend.ts';
import { lifecycle } from './page/lifecycle.ts';
import { overview } from './page/overview.ts';
import { style } from './page/style.ts';
import { policy, scripted, tools } from './page/tools.ts';

/** When and from what a report was made. */
export interface Reported {
  readonly at: string;
  readonly version: string;
  /** Names of the lifecycles that could not be checked. */
  readonly unread?: readonly string[];
}

/** The result in one sentence, followed by what is not proven. */
function result(outcomes: readonly Outcome[], unread: readonly string[]): Markup {
  const { faults, mutants } = totalOf(outcomes.map(figuresOf));
  const wrong = outcomes.filter((outcome) => outcome.faults.length > 0);
  const survivors = outcomes.flatMap(survivorsOf);
  const unmutated = outcomes.filter((outcome) => outcome.mutants === null).length;
  const tone = faults + unread.length > 0 ? 'wrong' : survivors.length > 0 ? 'doubt' : 'fine';
  const notes: readonly Child[] = [
    ...(unread.length > 0 ? [`Not checked: ${unread.join(', ')}. `] : []),
    ...(survivors.length > 0 ? [`${plural(survivors.length, 'mutant')} survived. `] : []),
    ...(mutants === null ? ['Mutation was not run. '] : []),
    ...(mutants !== null && unmutated > 0 ? [`Mutation was not run for ${plural(unmutated, 'lifecycle')}.`] : []),
  ];
  return h(
    'div',
    { class: `result result-${tone}` },
    h(
      'strong',
      {},
      faults === 0
        ? unread.length === 0
          ? '✓ Every machine is its table.'
          : `✕ ${plural(unread.length, 'lifecycle')} could not be checked.`
        : `✕ ${plural(faults, 'fault')} in ${plural(wrong.length, 'lifecycle')}.`,
    ),
    ' ',
    ...wrong.flatMap(({ name }) => [h('a', { href: `#${name}` }, name), ' ']),
    ...notes,
  );
}

/** One self-contained file with all results of a run, to read, print and send. */
export function page(outcomes: readonly Outcome[], run: Reported): string {
  const head = h(
    'head',
    {},
    h('meta', { charset: 'utf-8' }),
    h('meta', { 'http-equiv': 'Content-Security-Policy', content: policy() }),
    h('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
    h('meta', { name: 'color-scheme', content: 'light dark' }),
    h('title', {}, 'Core: specification report'),
    style(),
  );
  const body = h(
    'body',
    {},
    h('a', { class: 'skip', href: '#lifecycles' }, 'To the lifecycles'),
    h(
      'header',
      {},
      h('h1', {}, 'Specification report'),
      h(
        'p',
        { class: 'muted' },
        `Core ${run.version}, ${plural(outcomes.length, 'lifecycle')}, `,
        h('time', { datetime: run.at }, run.at),
      ),
    ),
    h(
      'main',
      {},
      result(outcomes, run.unread ?? []),
      overview(outcomes),
      legend(),
      tools(),
      h('div', { id: 'lifecycles' }, ...outcomes.map(lifecycle)),
    ),
    scripted(),
  );
  return `<!doctype html>\n${h('html', { lang: 'en' }, head, body).markup}\n`;
}
