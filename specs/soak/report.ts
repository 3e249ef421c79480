import { Array } from 'effect';
import { acknowledged } from './ledger.ts';
import type { Soaked } from './soak.ts';

type Row = readonly (string | number)[];

function table(rows: readonly Row[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => String(row[column] ?? '').length)));
  const cells = (row: Row) =>
    row.map((cell, column) => String(cell)[column === 0 ? 'padEnd' : 'padStart'](widths[column] ?? 0));
  return rows.map((row) => `  ${cells(row).join('  ')}`.trimEnd());
}

/** The figures of a soak, for a terminal. */
export const reportOf = (soaked: Soaked, seed: number): readonly string[] => [
  ...writeLines(soaked),
  ...faultLines(soaked),
  ...buildLines(soaked),
  ...failOverLines(soaked),
  ...heldLines(soaked),
  ...violationLines(soaked, seed),
  `took ${(soaked.timeline.elapsed() / 1_000).toFixed(0)} s`,
];

const writeLines = ({ ledger, told }: Soaked) => [
  `${ledger.typedInto.size} terminals showed what was typed into them`,
  `${acknowledged(ledger)} writes acknowledged; pushes that an operator was told of: ${told}`,
  ...table([
    ['', 'acknowledged', 'refused', 'no answer'],
    ...[...ledger.outcomes].map(([what, { done, refused, unknown }]) => [what, done, refused, unknown]),
  ]),
];

/** How the line of a fault begins. */
const faultWords = [
  'kill -9 the cluster',
  'kill -9 the leader',
  'kill -9 the stand-by',
  'SIGSTOP',
  'weather',
  'reset',
  'black hole',
] as const;

const faultsOf = ({ timeline }: Soaked) => faultWords.map((words) => [words, timeline.count('fault', words)] as const);

function faultLines(soaked: Soaked): readonly string[] {
  const proxies = Object.entries(soaked.proxied);
  const struck = proxies.flatMap(([, counts]) => Object.entries(counts)).filter(([what]) => what !== 'passed');
  return [
    'faults',
    ...table(faultsOf(soaked)),
    `${struck.reduce((sum, [, count]) => sum + count, 0)} connections struck`,
    ...proxies.map(([name, counts]) => {
      const words = Object.entries(counts).map(([what, count]) => `${count} ${what}`);
      return `  ${name}: ${words.join(', ')}`;
    }),
  ];
}

function buildLines({ witness, ledger, restMs }: Soaked): readonly string[] {
  const seen = witness.builds();
  const stand = seen.filter(({ uid }) => !ledger.deleted.has(uid));
  const phases = Array.groupBy(stand, ({ last }) => last.status?.phase || 'without a phase');
  const moves = seen.reduce((sum, one) => sum + one.moves.size, 0);
  const runs = new Set(witness.jobs().map(({ build, run }) => `${build} ${run}`)).size;
  const words = Object.entries(phases).map(([phase, those]) => `${those.length} ${phase}`);
  return [
    `${seen.length} builds: ${[...words, `${seen.length - stand.length} deleted`].join(', ')}`,
    `${moves} moves, ${runs} runs, ${witness.jobs().length} Jobs; at rest ${seconds(restMs)} after the faults`,
  ];
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(2)} s`;

function failOverLines({ leaderlessMs, failOverMs, leaseSeconds }: Soaked): readonly string[] {
  const line = (what: string, took: readonly number[]) => {
    const figures = took.map((ms) => `${Math.round(ms)} ms (${(ms / leaseSeconds / 1_000).toFixed(2)})`);
    return `  ${what}: ${figures.join(', ') || 'none'}`;
  };
  return [
    `after the leader died, against a lease of ${leaseSeconds} s`,
    line('amid the faults, until another had the lease', leaderlessMs),
    line("after the faults, until another's first pass", failOverMs),
  ];
}

const heldLines = ({ held }: Soaked) => [
  'held by operators',
  ...table([
    ['', 'MB in the middle', 'end', 'at rest', 'handles in the middle', 'end', 'at rest'],
    ...held.map(({ name, middle, end, rest }) => [
      name,
      ...[middle, end, rest].map(({ rssMb }) => Math.round(rssMb)),
      ...[middle, end, rest].map(({ handles }) => handles),
    ]),
  ]),
];

const mostLines = 400;

function violationLines(soaked: Soaked, seed: number): readonly string[] {
  const { violations, timeline, kept } = soaked;
  if (violations.length === 0) return [`no violation (seed ${seed})`];
  const lines = timeline.lines(violations.flatMap(({ about }) => about).filter((word) => word !== ''));
  return [
    `${violations.length} violations with seed ${seed}; again: npm run soak -- --seed ${seed}`,
    ...violations.map(({ text }) => `  ${text}`),
    ...movesOf(soaked),
    `what was done (all of it, the logs and the data: ${kept ?? 'not kept'})`,
    ...(lines.length > mostLines ? [`  … ${lines.length - mostLines} lines before these`] : []),
    ...lines.slice(-mostLines),
  ];
}

/** The moves of the builds that are at fault. */
function movesOf({ violations, witness }: Soaked): readonly string[] {
  const names = new Set(violations.flatMap(({ about }) => about));
  return witness
    .builds()
    .filter(({ name }) => names.has(name))
    .flatMap(({ name, uid, moves }) => [
      `moves of ${name} (${uid})`,
      ...[...moves.values()]
        .toSorted((a, b) => a.seq - b.seq)
        .map(({ seq, at, from, event, to, by }) => `  ${seq} ${at} ${from} ${event} → ${to} by ${by}`),
    ]);
}
