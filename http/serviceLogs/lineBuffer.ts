import { type PlacedLine, placed, type Reached, type StampedLine } from '../../rules/serviceLog/line.ts';

/** How many lines of each container are kept for later listeners. */
export const maxLines = 1_000;

type Listener = (line: PlacedLine) => void;

/** The newest lines of one container, and the listeners for further ones. */
export interface LineBuffer {
  readonly add: (line: StampedLine) => void;
  readonly lines: () => readonly PlacedLine[];
  readonly reached: () => Reached | null;
  /** Returns the function that ends it. */
  readonly listen: (listener: Listener) => () => void;
}

export function makeLineBuffer(): LineBuffer {
  const listeners = new Set<Listener>();
  const lines: PlacedLine[] = [];
  let reached: Reached | null = null;
  return {
    add: (line) => {
      reached = placed(line, reached);
      lines.push(reached.last);
      if (lines.length > maxLines) lines.shift();
      for (const listener of listeners) listener(reached.last);
    },
    lines: () => [...lines],
    reached: () => reached,
    listen: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
