import type { Violation } from './violations.ts';
import type { Part, Sample } from './part.ts';

/** What one operator held of the machine over the last stretch of its life. */
export interface Held {
  readonly name: string;
  readonly middle: Figures;
  readonly end: Figures;
  /** After the load has stopped. */
  readonly rest: Figures;
}

interface Figures {
  readonly rssMb: number;
  readonly handles: number;
}

/** Samples of every part, once a second. */
export interface Meter {
  /** Null where the system does not tell, or no process lived through all three spans. */
  readonly held: (part: Part, spans: Spans) => Held | null;
  readonly stop: () => void;
}

type Span = readonly [from: number, to: number];
interface Spans {
  readonly middle: Span;
  readonly end: Span;
  readonly rest: Span;
}

const everyMs = 1_000;
/** A process that has only just started holds less than it will. */
const growsUpMs = 8_000;

export function startMeter(parts: readonly Part[]): Meter {
  const samples = new Map<string, Sample[]>(parts.map(({ name }) => [name, []]));
  const timer = setInterval(() => {
    for (const part of parts) {
      const sample = part.sample();
      if (sample) samples.get(part.name)?.push(sample);
    }
  }, everyMs);
  return {
    held: ({ name }, spans) => {
      const all = samples.get(name) ?? [];
      const lives = all.filter(({ pid }) => pid === all.at(-1)?.pid);
      const mine = lives.filter(({ at }) => at >= (lives[0]?.at ?? 0) + growsUpMs);
      const [middle, end, rest] = [spans.middle, spans.end, spans.rest].map((span) => median(mine, span));
      return middle && end && rest ? { name, middle, end, rest } : null;
    },
    stop: () => clearInterval(timer),
  };
}

function median(samples: readonly Sample[], [from, to]: Span): Figures | null {
  const within = samples.filter(({ at }) => at >= from && at <= to);
  const middle = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
  if (within.length === 0) return null;
  return { rssMb: middle(within.map(({ rssMb }) => rssMb)), handles: middle(within.map(({ handles }) => handles)) };
}

/**
 * How much more may be held at the end than in the middle: the garbage collector works when it likes, and an operator
 * that has just started watches few of its kinds yet.
 */
const allowed = { rss: 1.4, rssMb: 60, handles: 1.5, moreHandles: 45 };

/** What grew; empty when all is flat. */
export function growthOf({ name, middle, end, rest }: Held): readonly Violation[] {
  const [rssMb, handles] = [Math.min(end.rssMb, rest.rssMb), Math.min(end.handles, rest.handles)];
  return [
    ...(rssMb > middle.rssMb * allowed.rss + allowed.rssMb
      ? [`${name} grew from ${Math.round(middle.rssMb)} to ${Math.round(rssMb)} MB`]
      : []),
    ...(handles > middle.handles * allowed.handles + allowed.moreHandles
      ? [`${name} held ${middle.handles} handles in the middle and ${handles} at the end`]
      : []),
  ].map((text) => ({ text, about: [name] }));
}
