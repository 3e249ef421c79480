import { pathOf } from '../../apiClient/client.ts';
import { rollBack } from '../../apiClient/requests/rollBack.ts';
import { read } from '../../apiClient/shape.ts';
import { command, isSet, type Run } from '../command.ts';
import { type Exit, exits } from '../exits.ts';
import { deploymentsShape, notedShape } from '../shapes.ts';
import { statusTable } from '../statusTable.ts';
import { ageSince } from '../text/age.ts';
import { plain } from '../text/plain.ts';
import { waitForOne } from '../waits/waitFor.ts';

async function goBack(run: Run): Promise<Exit> {
  const [app = '', named] = run.args;
  const { revision, answer } = await rollBack(run.client().ask, app, named);
  const { note } = read(notedShape, answer);
  await run.print(`${plain(app)} rolled back to ${plain(revision)}\n`);
  if (note !== undefined && note !== '') await run.note(`${plain(note)}\n`);
  if (!isSet(run, 'wait')) return exits.success;
  const { exit, statuses } = await waitForOne(run, app);
  await statusTable(run, statuses);
  return exit;
}

export const rollback = command({
  name: 'rollback',
  about: 'Deploy an earlier deployment of a service again.',
  more: 'Without DEPLOYMENT it goes to the one before the newest. Functions cannot be rolled back.',
  args: [
    { name: 'APP', about: 'the name of the service', completes: 'apps' },
    { name: '[DEPLOYMENT]', about: "an ID of 'core apps deployments'" },
  ],
  flags: [{ flags: '--wait', about: 'wait up to 10 minutes, and print the status' }],
  examples: ['core rollback web --wait', 'core rollback web web-x2k4q'],
  exits: [exits.notFound, exits.notAllowed, exits.deployFailed, exits.timedOut, exits.interrupted],
  run: goBack,
});

async function listDeployments(run: Run): Promise<void> {
  const [app = ''] = run.args;
  const answer = await run.client().ask('GET', `${pathOf('apps', app)}/deployments`);
  const { items } = read(deploymentsShape, answer);
  if (run.globals.json) return run.json({ items });
  const now = run.io.clock.now();
  return run.table(
    ['ID', 'PHASE', 'AGE', 'TRIGGER', 'ACTOR', 'CHANGE'],
    items.map(({ id, phase, trigger, actor, changeTitle, startedAt, createdAt }) => [
      id,
      phase,
      ageSince(startedAt ?? createdAt, now),
      trigger,
      actor,
      changeTitle,
    ]),
  );
}

export const deployments = command({
  name: 'deployments',
  about: 'List the deployments of a service, the newest first.',
  more: 'The newest one is the one that runs.',
  args: [{ name: 'APP', about: 'the name of the service', completes: 'apps' }],
  examples: ['core apps deployments web'],
  exits: [exits.notFound, exits.notAllowed],
  run: listDeployments,
});
