import { pathOf } from '../../apiClient/client.ts';
import { call } from '../../apiClient/requests/call.ts';
import { read } from '../../apiClient/shape.ts';
import { command, group, isSet, type Leaf, listFlag, type Run, textFlag } from '../command.ts';
import { CommandFailure, exits } from '../exits.ts';
import { addedShape, functionAnswerShape, savedShape, triggersShape } from '../shapes.ts';
import { ageSince } from '../text/age.ts';
import { externalText, plain } from '../text/plain.ts';
import { printWhen } from '../whenApplied.ts';
import { codeIn } from './createApp.ts';
import { getOf, type Listed, listOf, services } from './lists.ts';

const refusals: Leaf['exits'] = [exits.notFound, exits.notAllowed];
const named = { name: 'NAME', about: 'the name of the function', completes: 'apps' } as const;

const functionsListed: Listed = {
  ...services,
  noun: 'function',
  plural: 'functions',
  group: 'functions',
  keep: (details) => details['source'] === 'function',
};

function headersIn(run: Run): Readonly<Record<string, string>> {
  const pairs = listFlag(run, 'header').map((header) => {
    const at = header.indexOf(':');
    if (at < 1) throw new CommandFailure(exits.usage, `--header "${header}" is no NAME: VALUE`);
    return [header.slice(0, at).trim(), header.slice(at + 1).trim()] as const;
  });
  return Object.fromEntries(pairs);
}

async function callFunction(run: Run): Promise<void> {
  const [name = ''] = run.args;
  const headers = headersIn(run);
  const body = {
    method: textFlag(run, 'method'),
    path: textFlag(run, 'path'),
    body: textFlag(run, 'data'),
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
  };
  const answer = await call(run.client().ask, name, body);
  const { status, body: told = '' } = read(functionAnswerShape, answer);
  if (run.globals.json) await run.json(answer);
  else if (told !== '') await run.print(externalText(run, told.endsWith('\n') ? told : `${told}\n`));
  if (status >= 400) throw new CommandFailure(exits.otherError, `${name} answered HTTP ${status}`);
}

async function updateFunction(run: Run): Promise<void> {
  const [name = '', file = ''] = run.args;
  const code = await codeIn(file);
  const { json } = run.globals;
  const saved = await run.client().ask('PATCH', pathOf('apps', name), { body: { code } });
  if (!json) await run.print(`${plain(name)} updated\n`);
  if (!isSet(run, 'deploy')) return json ? run.json(saved) : printWhen(run, name, [read(savedShape, saved)]);
  const deployed = await run.client().ask('POST', `${pathOf('apps', name)}/deploy`);
  await run.note(`${plain(name)}: deploying\n`);
  if (json) await run.json(deployed);
}

async function listTriggers(run: Run): Promise<void> {
  const [name = ''] = run.args;
  const answer = await run.client().ask('GET', `${pathOf('apps', name)}/triggers`);
  const { items } = read(triggersShape, answer);
  if (run.globals.json) return run.json({ items });
  const now = run.io.clock.now();
  return run.table(
    ['NAME', 'CRON', 'LAST', 'NEXT'],
    items.map(({ name: trigger, cron, lastAt, nextAt }) => [trigger, cron, ageSince(lastAt, now), nextAt ?? '']),
  );
}

async function addTrigger(run: Run): Promise<void> {
  const [name = '', trigger = ''] = run.args;
  const cron = textFlag(run, 'cron');
  if (cron === undefined) throw new CommandFailure(exits.usage, 'say when it is called: give --cron');
  const answer = await run.client().ask('POST', `${pathOf('apps', name)}/triggers`, { body: { name: trigger, cron } });
  const { nextAt } = read(addedShape, answer);
  await run.print(`added ${plain(trigger)}\n`);
  return printWhen(run, name, [{ pending: nextAt === null }]);
}

async function removeTrigger(run: Run): Promise<void> {
  const [name = '', trigger = ''] = run.args;
  const answer = await run.client().ask('DELETE', pathOf('apps', name, 'triggers', trigger));
  await run.print(`removed ${plain(trigger)}\n`);
  return printWhen(run, name, [read(savedShape, answer)]);
}

const triggers = group({
  name: 'triggers',
  about: 'Schedules on which a function is called.',
  commands: [
    command({
      name: 'list',
      aliases: ['ls'],
      about: 'List the schedules of a function.',
      args: [named],
      examples: ['core functions triggers list report'],
      exits: refusals,
      run: listTriggers,
    }),
    command({
      name: 'add',
      about: 'Add a schedule to a function.',
      args: [named, { name: 'TRIGGER', about: 'the name of the schedule' }],
      flags: [{ flags: '--cron <cron>', about: 'when it is called: five fields, in UTC' }],
      examples: ["core functions triggers add report nightly --cron '0 3 * * *'"],
      exits: refusals,
      run: addTrigger,
    }),
    command({
      name: 'remove',
      about: 'Remove a schedule from a function.',
      args: [named, { name: 'TRIGGER', about: 'the name of the schedule' }],
      examples: ['core functions triggers remove report nightly'],
      exits: refusals,
      run: removeTrigger,
    }),
  ],
});

export const functions = group({
  name: 'functions',
  aliases: ['function', 'fn'],
  about: 'Functions: services whose code is kept here.',
  commands: [
    listOf(functionsListed),
    getOf(functionsListed),
    command({
      name: 'call',
      about: 'Call a function and print what it answers.',
      args: [named],
      flags: [
        { flags: '--method <method>', about: 'the method; POST when left out' },
        { flags: '--path <path>', about: 'the path with its query; / when left out' },
        { flags: '--data <body>', about: 'the body', sends: 'body' },
        {
          flags: '--header <header>',
          about: "a header as 'NAME: VALUE'; may be repeated",
          repeats: true,
          sends: 'headers',
        },
      ],
      examples: ['core functions call hello --data \'{"name":"you"}\''],
      exits: refusals,
      run: callFunction,
    }),
    command({
      name: 'update',
      about: 'Replace the code of a function.',
      args: [named, { name: 'FILE', about: 'a file with the code' }],
      flags: [{ flags: '--deploy', about: 'deploy it now' }],
      examples: ['core functions update hello hello.ts --deploy'],
      exits: refusals,
      run: updateFunction,
    }),
    triggers,
  ],
});
