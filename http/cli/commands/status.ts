import { pagesOf } from '../../apiClient/requests/pages.ts';
import { read } from '../../apiClient/shape.ts';
import { command, type Run } from '../command.ts';
import { exits } from '../exits.ts';
import { readAll, readListed } from '../../apiClient/requests/readListed.ts';
import { namesShape, type Status } from '../shapes.ts';
import { printStatuses, readStatus } from '../statusTable.ts';
import { causeLines } from '../text/cause.ts';

/** The services of the given project and environment; of the whole installation where none is given. */
async function namesOf(run: Run): Promise<readonly string[]> {
  const { project, environment } = run.target();
  const query = { ...(project && { project }), ...(environment && { environment }) };
  const names: string[] = [];
  for await (const answer of pagesOf(run.client(), '/apps', query))
    names.push(...read(namesShape, answer).items.map(({ name }) => name));
  return names;
}

/** The table, and behind it on the other stream why services are not ready. */
async function print(run: Run, statuses: readonly Status[]): Promise<void> {
  await printStatuses(run, statuses);
  for (const line of causeLines(statuses)) await run.note(`${line}\n`);
}

async function showStatus(run: Run): Promise<void> {
  const { args } = run;
  // A named service has to be there.
  if (args.length > 0) return print(run, await readAll(args, (name) => readStatus(run, name)));
  const statuses = await readListed(await namesOf(run), (name) => readStatus(run, name));
  return print(
    run,
    statuses.filter((status) => status !== null),
  );
}

export const status = command({
  name: 'status',
  about: 'Show what services are doing.',
  more: 'Without names it shows every service of the given project and environment, else of the whole installation. Why services are not ready follows on the error stream.',
  args: [{ name: '[APP...]', about: 'names of services', completes: 'apps' }],
  examples: ['core status', 'core status web api --json'],
  exits: [exits.notFound, exits.notAllowed],
  run: showStatus,
});
