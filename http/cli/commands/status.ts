import { ApiFailure } from '../../apiClient/failure.ts';
import { read } from '../../apiClient/shape.ts';
import { command, type Run } from '../command.ts';
import { exits } from '../exits.ts';
import { inTurns } from '../../apiClient/inTurns.ts';
import { namesShape, type Status } from '../shapes.ts';
import { printStatuses, readStatus } from '../statusTable.ts';

/** As many as the connections that are kept open. */
const atATime = 8;

/** The services of the given project and environment; of the whole installation where none is given. */
async function namesOf(run: Run): Promise<readonly string[]> {
  const { project, environment } = run.target();
  const query = { ...(project && { project }), ...(environment && { environment }) };
  const { items } = read(namesShape, await run.client().ask('GET', '/apps', { query }));
  return items.map(({ name }) => name);
}

/** A service may be deleted after it was listed. */
async function ifThere(run: Run, name: string): Promise<Status | null> {
  try {
    return await readStatus(run, name);
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 404) return null;
    throw error;
  }
}

async function showStatus(run: Run): Promise<void> {
  if (run.args.length > 0) return printStatuses(run, await inTurns(run.args, atATime, (name) => readStatus(run, name)));
  const statuses = await inTurns(await namesOf(run), atATime, (name) => ifThere(run, name));
  return printStatuses(
    run,
    statuses.filter((status) => status !== null),
  );
}

export const status = command({
  name: 'status',
  about: 'Show what services are doing.',
  more: 'Without names it shows every service of the given project and environment, else of the whole installation.',
  args: [{ name: '[APP...]', about: 'names of services', completes: 'apps' }],
  examples: ['core status', 'core status web api --json'],
  exits: [exits.notFound, exits.notAllowed],
  run: showStatus,
});
