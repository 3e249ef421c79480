/** One thing that was done or seen, in ms since the beginning. */
interface Entry {
  readonly at: number;
  readonly part: string;
  readonly text: string;
}

/** What happened, in its order, by the clock of the machine. */
export interface Timeline {
  readonly tell: (part: string, text: string) => void;
  readonly count: (part: string, text?: string) => number;
  /** The lines a person reads: all of the faults, of the rest what one of the words is in. */
  readonly lines: (words: readonly string[]) => readonly string[];
  readonly all: () => readonly string[];
  readonly elapsed: () => number;
}

const lineOf = ({ at, part, text }: Entry) => `${(at / 1000).toFixed(2).padStart(8)} s  ${part.padEnd(10)} ${text}`;

export function makeTimeline(onTold: (line: string) => void = () => {}): Timeline {
  const startedAt = performance.now();
  const entries: Entry[] = [];
  const elapsed = () => performance.now() - startedAt;
  return {
    elapsed,
    tell: (part, text) => {
      const entry = { at: elapsed(), part, text };
      entries.push(entry);
      onTold(lineOf(entry));
    },
    count: (part, text = '') => entries.filter((entry) => entry.part === part && entry.text.startsWith(text)).length,
    lines: (words) =>
      entries.filter(({ part, text }) => part === 'fault' || words.some((word) => text.includes(word))).map(lineOf),
    all: () => entries.map(lineOf),
  };
}
