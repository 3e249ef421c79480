import { pathOf } from '../../apiClient/client.ts';
import { removeVariable, type VariableKind } from '../../apiClient/requests/removeVariable.ts';
import { read } from '../../apiClient/shape.ts';
import { command, type Flag, group, isSet, type Leaf, type Run } from '../command.ts';
import { CommandFailure, type Exit, exits } from '../exits.ts';
import { type Saved, savedShape, variablesShape } from '../shapes.ts';
import { statusTable } from '../statusTable.ts';
import { plain } from '../text/plain.ts';
import { waitForOne } from '../waits/waitFor.ts';
import { printWhen } from '../whenApplied.ts';

async function listVariables(run: Run): Promise<void> {
  const [app = ''] = run.args;
  const answer = await run.client().ask('GET', `${pathOf('apps', app)}/variables`);
  const { items } = read(variablesShape, answer);
  if (run.globals.json) return run.json(answer);
  return run.table(
    ['NAME', 'KIND'],
    items.map(({ name, kind }) => [name, kind]),
  );
}

const usage = (message: string) => new CommandFailure(exits.usage, message);

/** A fault names its place alone, because the value may be a secret. */
function pairIn(text: string, index: number): readonly [key: string, value: string] {
  const at = text.indexOf('=');
  if (at === -1) throw usage(`variable ${index + 1} is no KEY=VALUE`);
  if (at === 0) throw usage(`variable ${index + 1} has no key`);
  return [text.slice(0, at), text.slice(at + 1)];
}

const kindOf = (run: Run): string => (isSet(run, 'secret') ? 'secrets' : 'config');

function checkFlags(run: Run): void {
  if (isSet(run, 'wait') && !isSet(run, 'deploy')) throw usage('--wait goes with --deploy');
}

/** Deploys what was changed, or says when it applies. */
async function goOn(run: Run, app: string, answers: readonly Saved[]): Promise<Exit> {
  if (!isSet(run, 'deploy')) {
    await printWhen(run, app, answers);
    return exits.success;
  }
  await run.client().ask('POST', `${pathOf('apps', app)}/deploy`);
  if (!isSet(run, 'wait')) {
    await run.note(`${plain(app)}: deploying\n`);
    return exits.success;
  }
  const { exit, statuses } = await waitForOne(run, app);
  await statusTable(run, statuses);
  return exit;
}

async function setVariables(run: Run): Promise<Exit> {
  const [app = '', ...texts] = run.args;
  checkFlags(run);
  // Nothing is sent before all of them were read.
  const pairs = texts.map(pairIn);
  const answers: Saved[] = [];
  for (const [key, value] of pairs) {
    const answer = await run.client().ask('POST', `${pathOf('apps', app, kindOf(run))}/set`, { body: { key, value } });
    answers.push(read(savedShape, answer));
    await run.print(`set ${plain(key)}\n`);
  }
  return goOn(run, app, answers);
}

const kindNames: Readonly<Record<VariableKind, string>> = { config: 'a plain variable', secret: 'a secret' };

/** What a variable was before it was removed. */
function wasText(kinds: readonly VariableKind[], kind: VariableKind | undefined): string {
  if (kinds.length > 0) return `was ${kinds.map((kind) => kindNames[kind]).join(' and ')}`;
  return kind === undefined ? 'was not set' : `was not set as ${kindNames[kind]}`;
}

async function removeVariables(run: Run): Promise<Exit> {
  const [app = '', ...keys] = run.args;
  checkFlags(run);
  const kind = isSet(run, 'secret') ? 'secret' : undefined;
  const answers: Saved[] = [];
  for (const key of keys) {
    const { kinds, ...when } = await removeVariable(run.client().ask, { app, key, kind });
    answers.push(when);
    if (kinds.length > 0) await run.print(`removed ${plain(key)}\n`);
    await run.note(`${plain(key)} ${wasText(kinds, kind)}\n`);
  }
  return goOn(run, app, answers);
}

const app = { name: 'APP', about: 'the name of the service', completes: 'apps' } as const;
const flags: readonly Flag[] = [
  { flags: '--deploy', about: 'deploy the service now' },
  { flags: '--wait', about: 'with --deploy: wait up to 10 minutes, and print the status' },
];
const refused: Leaf['exits'] = [exits.notFound, exits.notAllowed];
const codes: Leaf['exits'] = [exits.notFound, exits.notAllowed, exits.deployFailed, exits.timedOut, exits.interrupted];

export const env = group({
  name: 'env',
  about: 'Variables of a service.',
  commands: [
    command({
      name: 'list',
      aliases: ['ls'],
      about: 'List the names and kinds of the variables of a service.',
      more: 'Values are never printed in the table; with --json those of plain variables are.',
      args: [app],
      examples: ['core env list web'],
      exits: refused,
      run: listVariables,
    }),
    command({
      name: 'set',
      about: 'Set variables of a service.',
      args: [app, { name: 'KEY=VALUE...', about: 'variables, each split at its first =' }],
      flags: [{ flags: '--secret', about: 'the variables are secrets' }, ...flags],
      examples: ['core env set web MODE=fast LEVEL=info', 'core env set web API_KEY=hush --secret --deploy --wait'],
      exits: codes,
      run: setVariables,
    }),
    command({
      name: 'unset',
      about: 'Remove variables of a service.',
      more: 'A plain variable or a secret, whichever has the name; one that is not set is no error.',
      args: [app, { name: 'KEY...', about: 'names of variables' }],
      flags: [{ flags: '--secret', about: 'remove secrets alone' }, ...flags],
      examples: ['core env unset web MODE', 'core env unset web API_KEY --deploy --wait'],
      exits: codes,
      run: removeVariables,
    }),
  ],
});
