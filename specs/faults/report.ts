import { patternNames } from './plan/product.ts';
import { added, type Row, type Violation } from './trials.ts';

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
const line = (name: string, plans: number, violations: number, ms: number) =>
  `  ${name.padEnd(42)} ${String(plans).padStart(6)} ${String(violations).padStart(10)} ${seconds(ms).padStart(9)}`;

const sum = (rows: readonly Row[], of: (row: Row) => number) => rows.reduce((total, row) => total + of(row), 0);
const total = (name: string, rows: readonly Row[]) =>
  line(
    name,
    sum(rows, ({ plans }) => plans),
    sum(rows, ({ violations }) => violations),
    sum(rows, ({ ms }) => ms),
  );

/** Counts by lifecycle and by pattern. */
export function tableOf(tried: readonly Row[]): readonly string[] {
  const rows = added(tried);
  const lifecycles = [...new Set(rows.map(({ lifecycle }) => lifecycle))];
  const patterns = patternNames.filter((pattern) => rows.some((row) => row.pattern === pattern));
  const head = `  ${''.padEnd(42)} ${'plans'.padStart(6)} ${'violations'.padStart(10)} ${'CPU'.padStart(9)}`;
  return [
    'by lifecycle',
    head,
    ...lifecycles.map((name) =>
      total(
        name,
        rows.filter(({ lifecycle }) => lifecycle === name),
      ),
    ),
    '',
    'by pattern',
    head,
    ...patterns.map((name) =>
      total(
        name,
        rows.filter(({ pattern }) => pattern === name),
      ),
    ),
    '',
    total('all', rows),
  ];
}

/** A violation as readable text: what is wrong, the timeline, and the command that repeats it. */
export const violationText = ({
  lifecycle,
  pattern,
  plan,
  shortest,
  wrong,
  timeline,
}: Violation): readonly string[] => [
  '',
  `${lifecycle}: ${pattern}`,
  ...(plan === shortest ? [] : [`  found as   ${plan}`]),
  `  plan       ${shortest}`,
  ...wrong.map((one) => `  wrong      ${one}`),
  ...timeline,
  `  repeat     npm run faults -- --plan '${shortest}'`,
];
