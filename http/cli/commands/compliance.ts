import { pathOf } from '../../apiClient/client.ts';
import { read } from '../../apiClient/shape.ts';
import { command, group, type Leaf, type Run } from '../command.ts';
import { CommandFailure, exits } from '../exits.ts';
import { complianceShape, requiredTagsShape } from '../shapes.ts';
import { plain } from '../text/plain.ts';

const refusals: Leaf['exits'] = [exits.notFound, exits.notAllowed];

function pathFor(run: Run): string {
  const { project } = run.target();
  if (project === '') throw new CommandFailure(exits.usage, 'say which project: give --project');
  return `${pathOf('projects', project)}/compliance`;
}

async function showCompliance(run: Run): Promise<void> {
  const answer = await run.client().ask('GET', pathFor(run));
  const { checks, resources = [] } = read(complianceShape, answer);
  if (run.globals.json) return run.json(answer);
  const wrong = resources.filter(({ compliant }) => !compliant);
  return run.table(
    ['CHECK', 'OK', 'MESSAGE'],
    [
      ...checks.map(({ check, ok, message }) => [check, ok ? 'yes' : 'no', message]),
      ...wrong.map(({ kind, name, why }) => [[kind, name].filter(Boolean).join(' '), 'no', why]),
    ],
  );
}

async function require(run: Run, requiredTags: readonly string[]): Promise<void> {
  const answer = await run.client().ask('POST', pathFor(run), { body: { requiredTags } });
  const { requiredTags: tags = requiredTags } = read(requiredTagsShape, answer);
  const { project } = run.target();
  return run.print(
    tags.length === 0
      ? `${plain(project)} requires no tags\n`
      : `${plain(project)} now requires ${plain(tags.join(', '))}\n`,
  );
}

export const compliance = group({
  name: 'compliance',
  about: 'Tags that nodes must have to run a project.',
  commands: [
    command({
      name: 'get',
      about: 'Show whether a project runs where it may.',
      examples: ['core compliance get --project shop'],
      exits: refusals,
      run: showCompliance,
    }),
    command({
      name: 'set',
      about: 'Require tags of every node that runs a project.',
      args: [{ name: 'TAG...', about: 'tags' }],
      examples: ['core compliance set eu gdpr --project shop'],
      exits: refusals,
      run: (run) => require(run, run.args),
    }),
    command({
      name: 'clear',
      about: 'Require no tags any more.',
      examples: ['core compliance clear --project shop'],
      exits: refusals,
      run: (run) => require(run, []),
    }),
  ],
});
