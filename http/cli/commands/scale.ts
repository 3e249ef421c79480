import { pathOf } from '../../apiClient/client.ts';
import { setSleep } from '../../apiClient/requests/sleep.ts';
import { read } from '../../apiClient/shape.ts';
import { command, isSet, type Run, textFlag } from '../command.ts';
import { checkDuration, durationMs } from '../duration.ts';
import { CommandFailure, exits } from '../exits.ts';
import { scaledShape } from '../shapes.ts';
import { plain } from '../text/plain.ts';
import { checkWhole } from '../wholeNumber.ts';

const usage = (message: string) => new CommandFailure(exits.usage, message);

type ScaleRequest = { readonly is: 'alwaysOn' } | { readonly is: 'sleepAfter'; readonly ms: number };

function wantedOf(run: Run): ScaleRequest | null {
  if (isSet(run, 'alwaysOn')) return { is: 'alwaysOn' };
  const text = textFlag(run, 'sleepAfter');
  if (text === undefined) return null;
  const ms = durationMs(text) ?? 0;
  if (ms % 1_000 !== 0) throw usage('--sleep-after must be whole seconds');
  return { is: 'sleepAfter', ms };
}

function replicasOf(text: string): number {
  try {
    checkWhole(text);
  } catch {
    throw usage(`REPLICAS "${text}" must be a whole number`);
  }
  return Number(text);
}

async function saveSleep(run: Run, app: string, wanted: ScaleRequest): Promise<void> {
  const { settle } = await import('../waits/sleepSetting.ts');
  await setSleep(run.client().ask, app, wanted.is === 'alwaysOn' ? null : wanted.ms / 1_000);
  const { exit, text } = await settle(run, app, wanted);
  if (exit !== exits.success) throw new CommandFailure(exit, text);
  await run.print(`${plain(text)}\n`);
}

async function scaleService(run: Run): Promise<void> {
  const [app = '', text] = run.args;
  const wanted = wantedOf(run);
  if (text === undefined && wanted === null) throw usage('say how many copies, or give --sleep-after or --always-on');
  const replicas = text === undefined ? null : replicasOf(text);
  // A wrong flag is refused before the copies are changed.
  if (wanted !== null) (await import('../waits/sleepSetting.ts')).checkWanted(run, app, wanted);
  if (replicas !== null) {
    const scaled = read(
      scaledShape,
      await run.client().ask('POST', `${pathOf('apps', app)}/scale`, { body: { replicas } }),
    );
    await run.print(`${plain(app)} scaled to ${scaled.replicas ?? replicas}\n`);
    if (scaled.note) await run.note(`${plain(scaled.note)}\n`);
  }
  if (wanted !== null) await saveSleep(run, app, wanted);
}

export const scale = command({
  name: 'scale',
  about: 'Set how many copies of a service run, or when it sleeps.',
  more: 'It takes effect at once, without a deploy; for a draft, once it is deployed.',
  args: [
    { name: 'APP', about: 'the name of the service', completes: 'apps' },
    { name: '[REPLICAS]', about: 'how many copies, 0 to 1000' },
  ],
  flags: [
    {
      flags: '--sleep-after <duration>',
      about: 'stop it after that long without requests, 30s to 24h; the next request starts it',
      check: checkDuration,
      conflicts: 'alwaysOn',
      sends: 'idleSeconds',
    },
    { flags: '--always-on', about: 'keep it running' },
  ],
  examples: ['core scale web 3', 'core scale web --sleep-after 5m', 'core scale web --always-on'],
  exits: [exits.notFound, exits.notAllowed, exits.interrupted],
  run: scaleService,
});
