import type { Box, Placed } from '../../http/dashboard/diagram/layout.ts';
import { nowhere } from '../../http/dashboard/diagram/model.ts';
import {
  arrowShapes,
  endAt,
  endMark,
  entryShapes,
  headMarker,
  headShape,
  loopAt,
  loopMark,
  stateShapes,
} from '../../http/dashboard/diagram/shapes.ts';
import { lookOf, subtitleOf } from '../../http/dashboard/model/state.ts';
import type { Row } from '../../machines/table.ts';
import { drawn, element, escaped } from './markup.ts';
import { legendOf } from './legend.ts';
import type { Pictured } from './pictured.ts';
import { placeInPage } from './place.ts';
import { pictureStyle } from './style.ts';
import { describe } from './describe.ts';

const eventsOf = (rows: readonly Row[]) => [...new Set(rows.map(({ event }) => event))].join(', ');
const title = (text: string) => element('title', {}, escaped(text));
const at = ({ x, y }: { readonly x: number; readonly y: number }) => `translate(${x} ${y})`;

function stateMarkup({ model, subs, leaving }: Pictured, state: string, box: Box): string {
  const { tone, sign } = lookOf(state);
  const shown = subtitleOf(state) === '' ? state : 'Failed';
  const loops = model.loops[state] ?? [];
  const ends = leaving.find(({ from }) => from === state)?.events ?? [];
  const mark = (words: string, transform: string, shapes: string) =>
    element('g', { class: 'loop', transform }, title(words) + shapes);
  return element(
    'g',
    { 'data-tone': tone },
    [
      drawn(stateShapes(box, { shown, sign, count: '', sub: subs[state] ?? '' })),
      loops.length === 0 ? '' : mark(`stays ${state}: ${eventsOf(loops)}`, at(loopAt(box)), drawn(loopMark)),
      ends.length === 0 ? '' : mark(`ends: ${ends.join(', ')}`, at(endAt(box)), drawn(endMark)),
    ].join(''),
  );
}

function arrowsMarkup({ arrows, entries }: Placed, head: string): readonly string[] {
  return [
    ...arrows.map((arrow) =>
      element(
        'g',
        { class: 'arrow' },
        title(`${arrow.from} → ${arrow.to}: ${eventsOf(arrow.rows)}`) + drawn(arrowShapes(arrow, head)),
      ),
    ),
    ...entries.map((entry) =>
      element(
        'g',
        { class: entry.from === nowhere ? 'entry entry-new' : 'entry' },
        title(`${entry.from} → ${entry.to}: ${eventsOf(entry.rows)}`) + drawn(entryShapes(entry)),
      ),
    ),
  ];
}

/** The picture of a lifecycle: a file of its own with its style and ground, or a part of a page that has both. */
export function svgOf(pictured: Pictured, use: 'file' | 'inline'): string {
  const { name, model } = pictured;
  const placed = placeInPage(model);
  const head = `${name}-head`;
  const [titleId, descId] = [`${name}-title`, `${name}-desc`];
  const legend = legendOf(pictured, placed);
  const width = Math.ceil(placed.width);
  const height = Math.ceil(placed.height + legend.height);
  const attributes = {
    ...(use === 'file' ? { xmlns: 'http://www.w3.org/2000/svg' } : {}),
    class: 'diagram',
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
    role: 'img',
    'aria-labelledby': `${titleId} ${descId}`,
  };
  const ground = { class: 'ground', x: 0.5, y: 0.5, width: width - 1, height: height - 1, rx: 12 };
  const lines = [
    element('title', { id: titleId }, escaped(`State diagram of ${pictured.title}`)),
    element('desc', { id: descId }, escaped(describe(pictured))),
    ...(use === 'file' ? [element('style', {}, `\n${pictureStyle()}\n`), element('rect', ground)] : []),
    element('defs', {}, element('marker', { id: head, ...headMarker }, drawn([headShape]))),
    ...arrowsMarkup(placed, head),
    ...Object.entries(placed.states).map(([state, box]) => stateMarkup(pictured, state, box)),
    ...legend.lines,
  ];
  return `${element('svg', attributes, `\n${lines.join('\n')}\n`)}\n`;
}
