import { pathOf } from '../../apiClient/client.ts';
import { ApiFailure } from '../../apiClient/failure.ts';
import { pagesOf } from '../../apiClient/requests/pages.ts';
import { read } from '../../apiClient/shape.ts';
import { command, isSet, type Run, textFlag } from '../command.ts';
import { checkTimeout, durationMs } from '../duration.ts';
import { CommandFailure, type Exit, exitOfStatus, exits, firstExit } from '../exits.ts';
import { hintsFor } from '../refusal.ts';
import { environmentDeployedShape, summariesShape } from '../shapes.ts';
import { printStatuses } from '../statusTable.ts';
import { plain } from '../text/plain.ts';
import type { Awaited } from '../waits/deployWait.ts';
import { stateIn } from '../waits/awaitedStatus.ts';
import { waitForAll } from '../waits/waitFor.ts';

/** What was deployed, and the code of the first refusal. */
interface Sent {
  readonly deployed: readonly string[];
  readonly exit: Exit;
}

/** Sends all deploys, also those after a refused one. */
async function deployNamed(run: Run): Promise<Sent> {
  const deployed: string[] = [];
  let exit: Exit = exits.success;
  for (const app of run.args) {
    try {
      await run.client().ask('POST', `${pathOf('apps', app)}/deploy`);
      deployed.push(app);
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      await run.note(`Error: ${plain(run.args.length > 1 ? `${app}: ${error.message}` : error.message)}\n`);
      for (const hint of hintsFor(run, error)) await run.note(`${hint}\n`);
      exit = firstExit(exit, exitOfStatus(error.status));
    }
  }
  return { deployed, exit };
}

function environmentOf(run: Run): { readonly project: string; readonly environment: string } {
  const { project, environment } = run.target();
  if (project !== '' && environment !== '') return { project, environment };
  throw new CommandFailure(
    exits.usage,
    'say what to deploy: name services, or give --project and --environment to deploy everything pending',
  );
}

/** Deploys everything that is pending in one environment. */
async function deployEnvironment(run: Run): Promise<Sent> {
  const { project, environment } = environmentOf(run);
  const answer = await run.client().ask('POST', `${pathOf('projects', project)}/deploy`, { body: { environment } });
  const { deployed, refused = [] } = read(environmentDeployedShape, answer);
  for (const { name, error } of refused)
    await run.note(`Error: ${plain(`${name}: ${error ?? 'it was refused without a reason'}`)}\n`);
  if (deployed.length === 0 && refused.length === 0) await run.note('nothing to deploy\n');
  return { deployed, exit: refused.length > 0 ? exits.otherError : exits.success };
}

/** Every service of the environment: the lifecycle leaves out drafts and those that are being deleted. */
async function servicesOf(run: Run, timeoutMs: number | null): Promise<readonly Awaited[]> {
  const found: Awaited[] = [];
  for await (const answer of pagesOf(run.client(), '/apps', environmentOf(run)))
    for (const { name: app, state } of read(summariesShape, answer).items)
      found.push({ app, named: false, listed: stateIn(state), timeoutMs });
  return found;
}

async function deployAndWait(run: Run): Promise<Exit> {
  const isNamed = run.args.length > 0;
  const { deployed, exit } = isNamed ? await deployNamed(run) : await deployEnvironment(run);
  if (!isSet(run, 'wait')) {
    for (const app of deployed) await run.note(`${plain(app)}: deploying\n`);
    if (run.globals.json) await run.json({ deployed });
    return exit;
  }
  const timeoutMs = durationMs(textFlag(run, 'timeout') ?? '');
  const awaited = isNamed
    ? deployed.map((app) => ({ app, named: true, listed: 'pending', timeoutMs }) as const)
    : await servicesOf(run, timeoutMs);
  // Each refusal is printed already, and an empty table adds nothing.
  if (exit !== exits.success && awaited.length === 0 && !run.globals.json) return exit;
  const ended = await waitForAll(run, awaited);
  await printStatuses(run, ended.statuses);
  return firstExit(exit, ended.exit);
}

export const deploy = command({
  name: 'deploy',
  about: 'Deploy services, or everything that is pending in an environment.',
  more: 'With --wait the services are waited for one after another, and the first that fails decides the exit code.',
  args: [{ name: '[APP...]', about: 'names of services', completes: 'apps' }],
  flags: [
    { flags: '--wait', about: 'wait until the services are ready' },
    {
      flags: '--timeout <duration>',
      about: 'how long to wait for each service',
      otherwise: '10m',
      check: checkTimeout,
    },
  ],
  examples: ['core deploy web --wait', 'core deploy --project shop --environment production --wait --timeout 5m'],
  exits: [exits.notFound, exits.notAllowed, exits.deployFailed, exits.timedOut, exits.interrupted],
  run: deployAndWait,
});
