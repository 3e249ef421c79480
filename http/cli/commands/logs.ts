import { pathOf } from '../../apiClient/client.ts';
import { read } from '../../apiClient/shape.ts';
import { command, isSet, type Run, textFlag } from '../command.ts';
import { checkDuration } from '../duration.ts';
import { exits } from '../exits.ts';
import { logShape } from '../shapes.ts';
import { plain } from '../text/plain.ts';
import { checkWhole } from '../wholeNumber.ts';
import { followLog } from './followLog.ts';
import { linesText } from './logLines.ts';

const queryOf = (run: Run): Readonly<Record<string, string | undefined>> => ({
  tail: textFlag(run, 'tail'),
  since: textFlag(run, 'since'),
  level: textFlag(run, 'level'),
  q: textFlag(run, 'search'),
});

async function showLog(run: Run): Promise<void> {
  const [app = ''] = run.args;
  const path = `${pathOf('apps', app)}/logs`;
  if (isSet(run, 'follow')) return followLog(run, `${path}/stream`, queryOf(run));
  const { items, missing = [] } = read(logShape, await run.client().ask('GET', path, { query: queryOf(run) }));
  if (items.length > 0) await run.print(linesText(run, items));
  else await run.note('No log lines matched.\n');
  for (const { pod, why } of missing)
    await run.note(`${plain(pod ?? 'a copy')} could not be read${why === undefined ? '' : `: ${plain(why)}`}\n`);
}

export const logs = command({
  name: 'logs',
  about: 'Print the log of a service, or follow it.',
  more: 'Times are in UTC. Ctrl-C ends --follow.',
  args: [{ name: 'APP', about: 'the name of the service', completes: 'apps' }],
  flags: [
    { flags: '-f, --follow', about: 'go on with the lines that come' },
    {
      flags: '--tail <n>',
      about: 'only so many of the newest lines, 1 to 1000; with --follow so many of each copy to begin with',
      otherwise: '200',
      check: checkWhole,
    },
    {
      flags: '--since <duration>',
      about: 'only lines of so long ago, such as 48h, at most 168h',
      check: checkDuration,
    },
    {
      flags: '--level <level>',
      about: 'only lines of this level and worse ones',
      choices: ['error', 'warn', 'info', 'debug'],
    },
    { flags: '--search <text>', about: 'only lines that contain this, at most 200 characters', sends: 'q' },
  ],
  examples: [
    'core logs web --tail 50',
    'core logs web -f --level warn',
    "core logs web --since 1h --search 'timed out'",
  ],
  exits: [exits.notFound, exits.notAllowed],
  run: showLog,
});
