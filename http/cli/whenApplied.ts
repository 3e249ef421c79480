import type { Run } from './command.ts';
import type { Saved } from './shapes.ts';
import { plain } from './text/plain.ts';

/** Prints when saved changes of a service take effect; nothing where no answer says so. */
export async function printWhen(run: Run, app: string, answers: readonly Saved[]): Promise<void> {
  const name = plain(app);
  if (answers.some(({ appliesAtOnce }) => appliesAtOnce))
    return run.print(`applied at once: ${name} is deployed on every change\n`);
  if (answers.some(({ pending, pendingChanges }) => pending ?? pendingChanges))
    return run.print(`pending: run 'core deploy ${name}' to apply it\n`);
}
