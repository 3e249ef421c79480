/** How far apart usage is read. */
export const readEveryMs = 10_000;

/** The metrics that are kept, by the names under which a kubelet exports them. */
export const metric = {
  /** Seconds of a processor, counted up. */
  cpu: 'container_cpu_usage_seconds_total',
  memory: 'container_memory_working_set_bytes',
  received: 'container_network_receive_bytes_total',
  sent: 'container_network_transmit_bytes_total',
} as const;

export type Labels = Readonly<Record<string, string>>;

/** One value that was read. */
export interface Reading {
  /** The key of this series, such as the id of a run with its metric. */
  readonly id: string;
  readonly metric: string;
  readonly labels: Labels;
  readonly value: number;
}

/** A value and when it was read, in milliseconds. */
export type Sample = readonly [at: number, value: number];

export interface Series {
  readonly labels: Labels;
  /** The samples after one moment up to another. */
  readonly between: (after: number, until: number) => readonly Sample[];
}

/** What was read in the last 24 hours; what is older goes, and so does the oldest series where there are too many. */
export interface UsageRing {
  readonly record: (at: number, readings: readonly Reading[]) => void;
  readonly of: (metric: string) => readonly Series[];
}

const slotsInChunk = 360;
const chunksKept = 24;
/** How long what was read is kept at least. */
export const keptMs = slotsInChunk * chunksKept * readEveryMs;
const slotsKept = slotsInChunk * (chunksKept + 1);
export const mostSeries = 4_000;

interface Kept {
  readonly metric: string;
  readonly labels: Labels;
  /** The values of an hour, by its number. */
  readonly chunks: Map<number, Float64Array>;
  newest: number;
}

const slotOf = (at: number) => Math.round(at / readEveryMs);
const chunkOf = (slot: number) => Math.floor(slot / slotsInChunk);

export function createUsageRing(): UsageRing {
  const series = new Map<string, Kept>();
  const times = new Float64Array(slotsKept).fill(NaN);
  let chunk = -1;

  /** What is too old goes as an hour begins. */
  function beginHour(now: number) {
    chunk = now;
    for (const [id, { chunks }] of series) {
      for (const old of chunks.keys()) if (old < now - chunksKept || old > now) chunks.delete(old);
      if (chunks.size === 0) series.delete(id);
    }
  }

  function keptOf({ id, metric, labels }: Reading): Kept {
    const known = series.get(id);
    if (known) return known;
    if (series.size >= mostSeries) dropOldest();
    const made: Kept = { metric, labels, chunks: new Map(), newest: 0 };
    series.set(id, made);
    return made;
  }

  function dropOldest() {
    const [oldest] = [...series].reduce((a, b) => (b[1].newest < a[1].newest ? b : a));
    series.delete(oldest);
  }

  function between({ chunks }: Kept, after: number, until: number): readonly Sample[] {
    const samples: Sample[] = [];
    const last = slotOf(until);
    for (let slot = Math.max(slotOf(after), last - slotsKept + 1); slot <= last; slot += 1) {
      const value = chunks.get(chunkOf(slot))?.[slot % slotsInChunk];
      const at = times[slot % slotsKept];
      if (value === undefined || at === undefined || Number.isNaN(value)) continue;
      if (at > after && at <= until) samples.push([at, value]);
    }
    return samples;
  }

  return {
    record(at, readings) {
      const slot = slotOf(at);
      if (chunkOf(slot) !== chunk) beginHour(chunkOf(slot));
      times[slot % slotsKept] = at;
      for (const reading of readings) {
        const kept = keptOf(reading);
        const values = kept.chunks.get(chunk) ?? new Float64Array(slotsInChunk).fill(NaN);
        kept.chunks.set(chunk, values);
        values[slot % slotsInChunk] = reading.value;
        kept.newest = slot;
      }
    },
    of: (name) =>
      [...series.values()]
        .filter((kept) => kept.metric === name)
        .map((kept) => ({ labels: kept.labels, between: (after, until) => between(kept, after, until) })),
  };
}
