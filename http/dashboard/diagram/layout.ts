import { graphlib, layout as dagreLayout } from '@dagrejs/dagre';
import { subtitleOf } from '../words/state.ts';
import { anywhere, type Arrow, type DiagramModel, labelOf } from './model.ts';

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
export interface PlacedEntry extends Arrow, Box {
  readonly key: string;
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
const charWidth = 6.2;
const margin = 10;

/** A state with words beside its count needs more room. */
const boxOf = (state: string) => ({ width: subtitleOf(state) === '' ? 136 : 160, height: 50 });

const textBox = (lines: readonly string[], padding: number) =>
  lines.length === 0
    ? { width: 0, height: 0 }
    : {
        width: Math.max(...lines.map((line) => line.length)) * charWidth + padding,
        height: lines.length * lineHeight + padding / 2,
      };

const keyOf = ({ from, to }: Arrow) => `${from}>${to}`;

/** An entry tells its events itself, for a label on its short arrow would cost a column. */
const entryLines = ({ from, rows }: Arrow, most: number) => [
  ...(from === anywhere ? [anywhere] : []),
  ...labelOf(rows, most),
];

/** Where everything stands, in a picture that grows with its labels. */
export function placeDiagram(model: DiagramModel, direction: Direction, mostEvents: number): Placed {
  const graph = new graphlib.Graph({ multigraph: true });
  const isWide = direction === 'LR';
  graph.setGraph({
    rankdir: direction,
    nodesep: isWide ? 34 : 40,
    edgesep: 18,
    ranksep: isWide ? 16 : 26,
    marginx: margin,
    marginy: margin + 6,
  });
  const entries = model.entries.map((entry) => {
    const lines = entryLines(entry, Math.max(3, mostEvents));
    return { ...entry, key: keyOf(entry), lines, ...textBox(lines, 16) };
  });
  const arrows = model.arrows.map((arrow) => {
    const lines = labelOf(arrow.rows, mostEvents);
    return { ...arrow, key: keyOf(arrow), lines, ...textBox(lines, 10) };
  });
  for (const state of model.states) graph.setNode(state, boxOf(state));
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
      ...entries.map(({ from, to, rows, key }) => {
        const { points = [] } = arrowAt(key, to, key);
        return { from, to, rows, key, points, label: { x: 0, y: 0, width: 0, height: 0, lines: [] } };
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

/** A line through the points with its corners rounded off. */
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
