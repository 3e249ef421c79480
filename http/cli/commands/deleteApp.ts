import { pathOf } from '../../apiClient/client.ts';
import { command, type Run } from '../command.ts';
import { CommandFailure, exits } from '../exits.ts';
import { plain } from '../text/plain.ts';

/** Only `y` and `yes` delete. */
async function confirm(run: Run, name: string): Promise<void> {
  const { globals, io } = run;
  if (globals.yes) return;
  if (!io.input.isTerminal)
    throw new CommandFailure(exits.usage, 'this deletes data; run it again with --yes to confirm');
  await run.note(`Delete app "${plain(name)}"? This cannot be undone. [y/N] `);
  const answer = (await io.input.line())?.trim();
  if (answer !== 'y' && answer !== 'yes') throw new CommandFailure(exits.otherError, 'cancelled');
}

export const deleteApp = command({
  name: 'delete',
  about: 'Delete a service with everything that runs of it.',
  args: [{ name: 'NAME', about: 'the name of the service', completes: 'apps' }],
  examples: ['core apps delete web', 'core apps delete web --yes'],
  exits: [exits.notFound, exits.notAllowed],
  run: async (run) => {
    const [name = ''] = run.args;
    run.target();
    await confirm(run, name);
    await run.client().ask('DELETE', pathOf('apps', name), { query: { confirmName: name } });
    await run.print(`Deleted ${plain(name)}\n`);
  },
});
