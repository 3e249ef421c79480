import { strokeOf } from '../components/iconPaths.ts';
import type { Sign } from '../model/state.ts';
import { type Box, lineHeight, type PlacedArrow, type PlacedEntry, type Point, roundedPath } from './layout.ts';

/** One element of a drawing, independent of the output: the dashboard, or an exported file. */
export interface Shape {
  readonly tag: 'rect' | 'path' | 'circle' | 'text';
  readonly at: Readonly<Record<string, string | number>>;
  readonly text?: string;
}

/** The texts of a state; empty ones are not drawn. */
export interface StateWords {
  readonly shown: string;
  readonly sign: Sign;
  readonly count: string;
  readonly sub: string;
}

const round = (number: number) => Math.round(number * 10) / 10;

const rect = (name: string, { x, y, width, height }: Box, rx: number): Shape => ({
  tag: 'rect',
  at: {
    ...(name === '' ? {} : { class: name }),
    x: round(x - width / 2),
    y: round(y - height / 2),
    width: round(width),
    height: round(height),
    rx,
  },
});

const text = (name: string, { x, y }: Point, anchor: 'start' | 'middle' | 'end', words: string): Shape => ({
  tag: 'text',
  at: { class: name, x: round(x), y: round(y), 'text-anchor': anchor },
  text: words,
});

/** A state: its box, sign and name, and below them its count and subtitle. */
export function stateShapes(box: Box, { shown, sign, count, sub }: StateWords): readonly Shape[] {
  const left = box.x - box.width / 2;
  const nameY = count === '' && sub === '' ? box.y + 4.5 : box.y - 3.5;
  const below = nameY + 16;
  const subAt = count === '' ? { x: left + 31, y: below } : { x: left + box.width - 11, y: below };
  return [
    rect('state-box', box, 9),
    {
      tag: 'path',
      at: {
        class: 'state-sign',
        transform: `translate(${round(left + 11)} ${round(nameY - 11.5)})`,
        ...strokeOf(sign),
      },
    },
    text('state-name', { x: left + 31, y: nameY }, 'start', shown),
    ...(count === '' ? [] : [text('state-count', { x: left + 31, y: below }, 'start', count)]),
    ...(sub === '' ? [] : [text('state-sub', subAt, count === '' ? 'start' : 'end', sub)]),
  ];
}

const none: ReadonlySet<string> = new Set();

/** A line of a label; the events that were taken stand out. A label ends with how many more there are. */
const labelClass = (line: string, taken: ReadonlySet<string>): string =>
  taken.has(line.replace(/ \+\d+$/, '')) ? 'arrow-label arrow-taken' : 'arrow-label';

/** An arrow with its events; `head` is the id of its marker. */
export const arrowShapes = (
  { points, label }: PlacedArrow,
  head: string,
  taken: ReadonlySet<string> = none,
): readonly Shape[] => [
  { tag: 'path', at: { class: 'arrow-line', d: roundedPath(points), 'marker-end': `url(#${head})` } },
  ...(label.lines.length === 0 ? [] : [rect('label-back', label, 4)]),
  ...label.lines.map((line, index) =>
    text(
      labelClass(line, taken),
      { x: label.x, y: label.y - label.height / 2 + 13 + index * lineHeight },
      'middle',
      line,
    ),
  ),
];

/** The start of an arrow that leaves many states, or that creates an instance; it has its events inside. */
export const entryShapes = (entry: PlacedEntry, taken: ReadonlySet<string> = none): readonly Shape[] => [
  rect('', entry, 10),
  ...[...entry.heads, ...entry.lines].map((line, index) =>
    text(
      index < entry.heads.length ? 'entry-name' : labelClass(line, taken),
      { x: entry.x, y: entry.y - entry.height / 2 + 15 + index * lineHeight },
      'middle',
      line,
    ),
  ),
];

/** The position of the loop mark on a state. */
export const loopAt = ({ x, y, width, height }: Box): Point => ({
  x: round(x + width / 2 - 12),
  y: round(y - height / 2),
});

/** The position of the end mark on a state. */
export const endAt = ({ x, y, width, height }: Box): Point => ({
  x: round(x + width / 2 - 6),
  y: round(y + height / 2),
});

const markShapes = (line: string): readonly Shape[] => [
  { tag: 'circle', at: { r: 10 } },
  { tag: 'path', at: { class: 'arrow-line', d: line, 'stroke-linecap': 'round', 'stroke-linejoin': 'round' } },
];

/** The mark of arrows that keep their state, around the origin. */
export const loopMark = markShapes('M3.6 -2.4A4.4 4.4 0 1 0 4.4 1.2M4.2 -5.2L3.8 -2.2L0.8 -2.6');

/** The mark of arrows that end the instance, around the origin. */
export const endMark = markShapes('M-3.4 -3.4L3.4 3.4M3.4 -3.4L-3.4 3.4');

/** The marker at the head of an arrow. */
export const headMarker = {
  markerUnits: 'userSpaceOnUse',
  markerWidth: 10,
  markerHeight: 10,
  refX: 8,
  refY: 5,
  orient: 'auto',
} as const;
export const headShape: Shape = { tag: 'path', at: { class: 'arrow-head', d: 'M0.5 1L9 5L0.5 9z' } };
