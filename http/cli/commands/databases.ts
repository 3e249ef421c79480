import { pathOf } from '../../apiClient/client.ts';
import { read } from '../../apiClient/shape.ts';
import { command, group, isSet, type Leaf, type Run, textFlag } from '../command.ts';
import { CommandFailure, exits } from '../exits.ts';
import { archiveShape, connectionShape, detailedShape, createdShape, notedShape } from '../shapes.ts';
import { ageSince } from '../text/age.ts';
import { plain } from '../text/plain.ts';
import { databasesListed, getOf, listOf } from './lists.ts';
import { waitForDatabase } from './waitForDatabase.ts';

const refusals: Leaf['exits'] = [exits.notFound, exits.notAllowed];
const database = { name: 'NAME', about: 'the name of the database', completes: 'databases' } as const;

const fields = ['host', 'port', 'database', 'username', 'password', 'uri'] as const;

async function showConnection(run: Run): Promise<void> {
  const [name = ''] = run.args;
  const query = isSet(run, 'reveal') ? { reveal: 'true' } : {};
  const answer = await run.client().ask('GET', `${pathOf('databases', name)}/connection`, { query });
  const connection = read(connectionShape, answer);
  if (run.globals.json) return run.json(answer);
  const lines = fields.flatMap((field) => {
    const value = connection[field];
    return value === undefined ? [] : [`${field}: ${plain(value) || '-'}\n`];
  });
  return run.print(lines.join(''));
}

async function deployDatabase(run: Run): Promise<void> {
  const [name = ''] = run.args;
  const answer = await run.client().ask('POST', `${pathOf('databases', name)}/deploy`);
  const { note } = read(notedShape, answer);
  if (run.globals.json) return run.json(answer);
  if (note) await run.note(`${plain(note)}\n`);
  return run.print(`${plain(name)} is deploying.\n`);
}

async function retryDatabase(run: Run): Promise<void> {
  const [name = ''] = run.args;
  const answer = await run.client().ask('POST', `${pathOf('databases', name)}/retry`);
  if (run.globals.json) return run.json(answer);
  return run.print(`${plain(name)} is provisioned again.\n`);
}

/** The moments that the archives of a database can be restored to. */
async function listBackups(run: Run): Promise<void> {
  const [name = ''] = run.args;
  const client = run.client();
  const { items } = read(detailedShape, await client.ask('GET', '/backup-archives'));
  const own = items.filter(({ details }) => details['database'] === name);
  // Archives outlive their database; where there are none, it has to be there.
  if (own.length === 0) await client.ask('GET', pathOf('databases', name));
  const archives = await Promise.all(
    own.map(async ({ name: archive }) => ({
      archive,
      ...read(archiveShape, await client.ask('GET', pathOf('backup-archives', archive))),
    })),
  );
  const points = archives.flatMap(({ archive, status }) =>
    (status?.restorePoints ?? []).map((point) => ({ archive, ...point })),
  );
  if (run.globals.json) return run.json({ items: points });
  const now = run.io.clock.now();
  return run.table(
    ['ARCHIVE', 'RESTORE-POINT', 'TIME', 'AGE'],
    points.map(({ archive, id, time }) => [archive, id, time, ageSince(time, now)]),
  );
}

async function restore(run: Run): Promise<void> {
  const [archive = ''] = run.args;
  const { project, environment } = run.target();
  if (project === '' || environment === '')
    throw new CommandFailure(exits.usage, 'say where to restore it: give --project and --environment');
  const given = {
    name: textFlag(run, 'name'),
    restorePoint: textFlag(run, 'restorePoint'),
    time: textFlag(run, 'time'),
  };
  const body = { archive, project, environment, ...given };
  const answer = await run.client().ask('POST', '/databases/restore', { body });
  const name = given.name ?? read(createdShape, answer).name;
  await (run.globals.json ? run.json(answer) : run.print(`${plain(name)} is being restored.\n`));
  if (isSet(run, 'wait')) await waitForDatabase(run, name);
}

export const databases = group({
  name: 'databases',
  aliases: ['database', 'db'],
  about: 'Databases, their connections and their backups.',
  commands: [
    listOf(databasesListed),
    getOf(databasesListed),
    command({
      name: 'connection',
      about: 'Print how programs reach a database.',
      args: [database],
      flags: [{ flags: '--reveal', about: 'print the password too; the operator logs that it was asked for' }],
      examples: ['core databases connection orders', 'core databases connection orders --reveal --json'],
      exits: refusals,
      run: showConnection,
    }),
    command({
      name: 'deploy',
      about: 'Deploy a database.',
      args: [database],
      examples: ['core databases deploy orders'],
      exits: refusals,
      run: deployDatabase,
    }),
    command({
      name: 'retry',
      about: 'Provision a database again that has given up.',
      args: [database],
      examples: ['core databases retry orders'],
      exits: refusals,
      run: retryDatabase,
    }),
    command({
      name: 'backups',
      about: 'List the moments that a database can be restored to.',
      args: [database],
      examples: ['core databases backups orders'],
      exits: refusals,
      run: listBackups,
    }),
    command({
      name: 'restore',
      about: 'Restore a backup into a new database.',
      args: [{ name: 'ARCHIVE', about: 'the name of a backup archive' }],
      flags: [
        { flags: '--name <name>', about: 'the name of the new database; made up when left out' },
        { flags: '--restore-point <id>', about: 'the restore point; the newest one otherwise', conflicts: 'time' },
        { flags: '--time <time>', about: 'a moment, such as 2026-01-31T12:00:00Z' },
        { flags: '--wait', about: 'wait up to 10 minutes until it is ready' },
      ],
      examples: ['core databases restore orders-archive --name orders-copy --project shop --environment production'],
      exits: [exits.notFound, exits.notAllowed, exits.deployFailed, exits.timedOut, exits.interrupted],
      run: restore,
    }),
  ],
});
