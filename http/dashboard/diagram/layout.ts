import { graphlib, layout as dagreLayout } from '@dagrejs/dagre';
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
export interface Placed {
  readonly width: number;
  readonly height: number;
  readonly states: Readonly<Record<string, Box>>;
  readonly entries: Readonly<Record<string, Box>>;
  readonly arrows: readonly PlacedArrow[];
}

export type Direction = 'LR' | 'TB';

export const lineHeight = 14;
const charWidth = 6.2;
const boxOf = { width: 142, height: 50 };
const entryBox = { width: 74, height: 24 };
const dot = { width: 14, height: 14 };
const margin = 18;

const labelBox = (lines: readonly string[]) => ({
  width: Math.max(...lines.map((line) => line.length)) * charWidth + 10,
  height: lines.length * lineHeight + 4,
});

/** Where everything stands, in a picture that grows with its labels. */
export function placeDiagram(model: DiagramModel, direction: Direction, mostEvents: number): Placed {
  const graph = new graphlib.Graph({ multigraph: true });
  graph.setGraph({
    rankdir: direction,
    nodesep: direction === 'LR' ? 34 : 40,
    edgesep: 18,
    ranksep: direction === 'LR' ? 26 : 30,
    marginx: margin,
    marginy: margin,
  });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const state of model.states) graph.setNode(state, { ...boxOf });
  const starts = new Set(model.entries.map(({ from }) => from));
  for (const from of starts) graph.setNode(from, { ...(from === anywhere ? entryBox : dot) });
  const all = [...model.entries, ...model.arrows].map((arrow) => ({
    ...arrow,
    key: `${arrow.from}>${arrow.to}`,
    lines: labelOf(arrow.rows, mostEvents),
  }));
  for (const { from, to, key, lines, rows } of all)
    graph.setEdge(from, to, { ...labelBox(lines), labelpos: 'c', weight: Math.min(3, rows.length) }, key);
  dagreLayout(graph);

  const boxAt = (name: string): Box => {
    const { x = 0, y = 0, width = 0, height = 0 } = graph.node(name);
    return { x, y, width, height };
  };
  const { width = 0, height = 0 } = graph.graph();
  return {
    width,
    height,
    states: Object.fromEntries(model.states.map((state) => [state, boxAt(state)])),
    entries: Object.fromEntries([...starts].map((from) => [from, boxAt(from)])),
    arrows: all.map(({ lines, ...arrow }) => {
      const edge = graph.edge(arrow.from, arrow.to, arrow.key);
      const label = { x: edge.x ?? 0, y: edge.y ?? 0, ...labelBox(lines), lines };
      return { ...arrow, points: edge.points ?? [], label };
    }),
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
