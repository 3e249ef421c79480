import type { Usage } from '../../api.ts';

export type Window = Usage['window'];
type SeriesName = keyof Usage['series'];
type Unit = 'cores' | 'bytes' | 'bytes a second' | 'requests a second';

/** One chart: its series, in the same unit. */
export interface Chart {
  readonly title: string;
  readonly unit: Unit;
  readonly lines: readonly { readonly name: SeriesName; readonly label: string }[];
}

/** The charts of a service, a database or a project; those without a series are left out. */
export const charts: readonly Chart[] = [
  { title: 'CPU', unit: 'cores', lines: [{ name: 'cpu', label: 'CPU' }] },
  { title: 'Memory', unit: 'bytes', lines: [{ name: 'memory', label: 'Memory' }] },
  {
    title: 'Network',
    unit: 'bytes a second',
    lines: [
      { name: 'network', label: 'Sent' },
      { name: 'networkIn', label: 'Received' },
    ],
  },
  { title: 'Requests', unit: 'requests a second', lines: [{ name: 'requests', label: 'Requests' }] },
  { title: 'Storage', unit: 'bytes', lines: [{ name: 'storage', label: 'Storage' }] },
];

export const windowWords: Readonly<Record<Window, string>> = {
  '15m': 'Last 15 minutes',
  '1h': 'Last hour',
  '6h': 'Last 6 hours',
  '24h': 'Last 24 hours',
};

export const windows = Object.keys(windowWords) as readonly Window[];

const scales = { bytes: 1_024, others: 1_000 } as const;
const prefixes = { bytes: ['', 'Ki', 'Mi', 'Gi', 'Ti'], others: ['', 'k', 'M', 'G', 'T'] } as const;
const symbols: Readonly<Record<Unit, string>> = {
  cores: 'cores',
  bytes: 'B',
  'bytes a second': 'B/s',
  'requests a second': '/s',
};

/** Three significant figures, without an exponent. */
const figures = (value: number): string => String(Number(value.toPrecision(3)));

/** A value with its unit: `0.25 cores`, `128 MiB`, `1.2 kB/s`. */
export function amount(value: number, unit: Unit): string {
  if (unit === 'cores') return `${figures(value)} ${value === 1 ? 'core' : 'cores'}`;
  if (unit === 'requests a second') return `${figures(value)}/s`;
  const of = unit === 'bytes' ? 'bytes' : 'others';
  const power = value < 1 ? 0 : Math.min(4, Math.floor(Math.log(value) / Math.log(scales[of])));
  return `${figures(value / scales[of] ** power)} ${prefixes[of][power] ?? ''}${symbols[unit]}`;
}

/** The newest value of a series, and between which it was. */
export interface Summed {
  readonly newest: number;
  readonly min: number;
  readonly max: number;
}

export function summed(points: readonly { readonly v: number }[]): Summed | null {
  const values = points.map(({ v }) => v);
  const newest = values.at(-1);
  return newest === undefined ? null : { newest, min: Math.min(...values), max: Math.max(...values) };
}

type Row = readonly (number | null)[];

/** Several series over the same times, as a chart takes them; a time that a series lacks is a gap. */
export function aligned(
  all: readonly (readonly { readonly t: number; readonly v: number }[])[],
): readonly [readonly number[], ...Row[]] {
  const times = [...new Set(all.flatMap((points) => points.map(({ t }) => t)))].toSorted((a, b) => a - b);
  const rows = all.map((points) => {
    const values = new Map(points.map(({ t, v }) => [t, v]));
    return times.map((t) => values.get(t) ?? null);
  });
  return [times, ...rows];
}
