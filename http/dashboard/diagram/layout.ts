import { graphlib, layout as dagreLayout } from '@dagrejs/dagre';
import { subtitleOf } from '../model/state.ts';
import { type Arrow, type DiagramModel, type Entry, labelOf, nowhere } from './model.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}
export interface Box extends Point {
  readonly width: number;
  readonly height: number;
}
export interface PlacedArrow extends Arrow {
  readonly key: string;
  readonly points: readonly Point[];
  readonly label: Box & { readonly lines: readonly string[] };
}
export interface PlacedEntry extends Entry, Box {
  readonly key: string;
  /** Its name in lines, above its events. */
  readonly heads: readonly string[];
  readonly lines: readonly string[];
}
export interface Placed {
  readonly width: number;
  readonly height: number;
  readonly states: Readonly<Record<string, Box>>;
  readonly entries: readonly PlacedEntry[];
  readonly arrows: readonly PlacedArrow[];
}

export type Direction = 'LR' | 'TB';

export const lineHeight = 14;
const margin = 10;

/** The room that words take, and what stands between them. */
export interface Sizes {
  readonly char: number;
  readonly nameChar: number;
  /** The width of a line of a label. */
  readonly lineWidth: (line: string) => number;
  /** The distance of a label from the states on both sides. */
  readonly ranks: Readonly<Record<Direction, number>>;
}

const sizesOf = (char: number, nameChar: number, ranks: Sizes['ranks']): Sizes => ({
  char,
  nameChar,
  lineWidth: (line) => line.length * char,
  ranks,
});

/** Where width is scarce. */
export const close = sizesOf(6.2, 8.2, { LR: 16, TB: 26 });
/** Where the font of the labels is unknown. */
export const wide = sizesOf(6.8, 8.4, { LR: 32, TB: 42 });

/** A state with a long name, or with small words beside its count, needs more room. */
const boxOf = (state: string, { char, nameChar }: Sizes) => ({
  width:
    subtitleOf(state) === ''
      ? Math.max(136, 46 + state.length * nameChar)
      : 70 + subtitleOf(state).length * char * 0.85,
  height: 50,
});

const textBox = (lines: readonly string[], padding: number, { lineWidth }: Sizes) =>
  lines.length === 0
    ? { width: 0, height: 0 }
    : {
        width: Math.max(...lines.map(lineWidth)) + padding,
        height: lines.length * lineHeight + padding / 2,
      };

const keyOf = ({ from, to }: Arrow) => `${from}>${to}`;

/** A name in lines that are about as long as those of events. */
function headsOf({ from }: Arrow): readonly string[] {
  if (from === nowhere) return [];
  const lines: string[] = [];
  for (const word of from.split(/(?<=,) | (?=but )/)) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length > 22) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

/** The positions of all parts, in a drawing that grows with its labels. */
export function placeDiagram(model: DiagramModel, direction: Direction, maxEvents: number, size = close): Placed {
  const graph = new graphlib.Graph({ multigraph: true });
  const isWide = direction === 'LR';
  graph.setGraph({
    rankdir: direction,
    nodesep: isWide ? 34 : 40,
    edgesep: 18,
    ranksep: size.ranks[direction],
    marginx: margin,
    marginy: margin + 6,
  });
  const entries = model.entries.map((entry) => {
    const heads = headsOf(entry);
    const lines = labelOf(entry.rows, Math.max(3, maxEvents));
    return { ...entry, key: keyOf(entry), heads, lines, ...textBox([...heads, ...lines], 16, size) };
  });
  const arrows = model.arrows.map((arrow) => {
    const lines = labelOf(arrow.rows, maxEvents);
    return { ...arrow, key: keyOf(arrow), lines, ...textBox(lines, 10, size) };
  });
  for (const state of model.states) graph.setNode(state, boxOf(state, size));
  for (const { key, width, height, to } of entries) {
    graph.setNode(key, { width, height });
    graph.setEdge(key, to, {}, key);
  }
  for (const { from, to, key, width, height, rows } of arrows)
    graph.setEdge(from, to, { width, height, labelpos: 'c', weight: Math.min(3, rows.length) }, key);
  dagreLayout(graph);

  const placeOf = (name: string): Box => {
    const { x = 0, y = 0, width = 0, height = 0 } = graph.node(name);
    return { x, y, width, height };
  };
  const arrowAt = (start: string, to: string, key: string) => graph.edge(start, to, key);
  const { width = 0, height = 0 } = graph.graph();
  return {
    width,
    height,
    states: Object.fromEntries(model.states.map((state) => [state, placeOf(state)])),
    entries: entries.map((entry) => ({ ...entry, ...placeOf(entry.key) })),
    arrows: [
      ...entries.map(({ from, to, rows, begins, key }) => {
        const { points = [] } = arrowAt(key, to, key);
        return { from, to, rows, begins, key, points, label: { x: 0, y: 0, width: 0, height: 0, lines: [] } };
      }),
      ...arrows.map(({ from, to, rows, key, lines, width, height }) => {
        const { points = [], x = 0, y = 0 } = arrowAt(from, to, key);
        return { from, to, rows, key, points, label: { x, y, width, height, lines } };
      }),
    ],
  };
}

const at = ({ x, y }: Point) => `${round(x)},${round(y)}`;
const round = (number: number) => Math.round(number * 10) / 10;
const between = (a: Point, b: Point, share: number): Point => ({
  x: a.x + (b.x - a.x) * share,
  y: a.y + (b.y - a.y) * share,
});

/** A line through the points with rounded corners. */
export function roundedPath(points: readonly Point[]): string {
  const [first, second] = points;
  const last = points.at(-1);
  if (!first || !last) return '';
  if (!second || points.length === 2) return `M${at(first)} L${at(last)}`;
  const corners = points.slice(1, -1).map((corner, index) => {
    const before = points[index] ?? corner;
    const after = points[index + 2] ?? corner;
    return `L${at(between(corner, before, 0.5))} Q${at(corner)} ${at(between(corner, after, 0.5))}`;
  });
  return `M${at(first)} ${corners.join(' ')} L${at(last)}`;
}
