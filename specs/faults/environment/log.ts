/** An action or a fault at a moment of the simulated time. */
export interface Entry {
  readonly at: number;
  readonly who: string;
  readonly text: string;
}

export interface Log {
  readonly add: (who: string, text: string) => void;
  readonly entries: () => readonly Entry[];
}

export function makeLog(now: () => number): Log {
  const entries: Entry[] = [];
  return { add: (who, text) => void entries.push({ at: now(), who, text }), entries: () => entries };
}

const whoWidth = 12;
const ms = (at: number, from: number) => `+${((at - from) / 1_000).toFixed(3)} s`.padStart(12);

/** A log as readable lines: the time since the start, the actor, the action. */
export function timelineOf(entries: readonly Entry[]): readonly string[] {
  const from = entries[0]?.at ?? 0;
  return entries.map(({ at, who, text }) => `${ms(at, from)}  ${who.padEnd(whoWidth)} ${text}`);
}
