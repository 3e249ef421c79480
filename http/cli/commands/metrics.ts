import { pathOf } from '../../apiClient/client.ts';
import { read } from '../../apiClient/shape.ts';
import { command, type Run, textFlag } from '../command.ts';
import { CommandFailure, exits } from '../exits.ts';
import { availableShape, metricsShape } from '../shapes.ts';

const units: Readonly<Record<string, string>> = {
  cpu: 'cores',
  memory: 'bytes',
  network: 'bytes/s sent',
  networkIn: 'bytes/s received',
  requests: 'requests/s',
  storage: 'bytes',
};

/** Three significant figures, never with an exponent. No formatter is kept: to load one takes longer than all else. */
const figure = (value: number): string =>
  value.toLocaleString('en-US', { maximumSignificantDigits: 3, useGrouping: false });

function rowOf(name: string, points: readonly { readonly v: number }[]): readonly string[] {
  const values = points.map(({ v }) => v);
  const newest = values.at(-1);
  const unit = units[name] ?? '';
  if (newest === undefined) return [name, '-', '-', unit];
  const least = values.reduce((a, b) => Math.min(a, b));
  const most = values.reduce((a, b) => Math.max(a, b));
  return [name, figure(newest), `(${figure(least)} - ${figure(most)})`, unit];
}

async function showMetrics(run: Run): Promise<void> {
  const [name = ''] = run.args;
  const path = `${pathOf(textFlag(run, 'kind') ?? 'apps', name)}/metrics`;
  const answer = await run.client().ask('GET', path, { query: { window: textFlag(run, 'window') } });
  const { available = true, message = '' } = read(availableShape, answer);
  if (run.globals.json) return run.json(answer);
  if (!available) throw new CommandFailure(exits.otherError, `no metrics yet: ${message}`);
  return run.table(
    ['SERIES', 'NEWEST', 'RANGE', 'UNIT'],
    Object.entries(read(metricsShape, answer).series).map(([of, points]) => rowOf(of, points)),
  );
}

export const metrics = command({
  name: 'metrics',
  about: 'Show what a service, a database or a project uses.',
  args: [{ name: 'NAME', about: 'its name', completes: 'apps' }],
  flags: [
    { flags: '--window <window>', about: 'how far back', choices: ['15m', '1h', '6h', '24h'], otherwise: '1h' },
    { flags: '--kind <kind>', about: 'what it is', choices: ['apps', 'databases', 'projects'], otherwise: 'apps' },
  ],
  examples: ['core metrics web --window 24h', 'core metrics orders --kind databases'],
  exits: [exits.notFound, exits.notAllowed],
  run: showMetrics,
});
