import { command, group, type Run } from '../command.ts';
import { loginNamed, loginNames, withLogin } from '../config/file.ts';
import { chosenName, requireLogin } from '../config/resolve.ts';
import { changeConfig } from '../config/store.ts';
import { CommandFailure, exits } from '../exits.ts';
import { plain } from '../text/plain.ts';

const saved = '(saved)';

function expiryDay(expiresAt: string | undefined, now: number): string {
  const at = Date.parse(expiresAt ?? '');
  if (expiresAt === undefined || Number.isNaN(at)) return '';
  return `${new Date(at).toISOString().slice(0, 10)}${at <= now ? ' (expired)' : ''}`;
}

async function listLogins(run: Run): Promise<void> {
  const file = run.config();
  const logins = loginNames(file).map((name) => [name, requireLogin(file, name)] as const);
  if (run.globals.json) {
    const hidden = logins.map(([name, login]) => [name, login.token ? { ...login, token: saved } : login]);
    return run.json({ ...file, contexts: Object.fromEntries(hidden) as object });
  }
  const now = run.io.clock.now();
  return run.table(
    ['NAME', 'URL', 'USER', 'PROJECT', 'ENVIRONMENT', 'EXPIRES'],
    logins.map(([name, { url, user = '', project = '', environment = '', expiresAt }]) => [
      name === file.current ? `* ${name}` : name,
      url,
      user,
      project,
      environment,
      expiryDay(expiresAt, now),
    ]),
  );
}

async function useLogin(run: Run): Promise<void> {
  const [name = ''] = run.args;
  requireLogin(run.config(), name);
  await changeConfig(run.io, (file) => {
    requireLogin(file, name);
    return { ...file, current: name };
  });
  return run.print(`Using ${plain(name)}.\n`);
}

function nameToSet(run: Run): string {
  const [named] = run.args;
  const name = named ?? chosenName(run.resolving()) ?? run.config().current ?? '';
  if (name === '') throw new CommandFailure(exits.notFound, 'no saved login: run core login --url <address>');
  return name;
}

async function setDefaults(run: Run): Promise<void> {
  const name = nameToSet(run);
  const { project, environment } = run.globals;
  requireLogin(run.config(), name);
  const file = await changeConfig(run.io, (now) =>
    withLogin(now, name, {
      ...requireLogin(now, name),
      ...(project ? { project } : {}),
      ...(environment ? { environment } : {}),
    }),
  );
  const login = loginNamed(file, name);
  return run.print(
    `${plain(name)} now defaults to ${plain(login?.project || '-')} / ${plain(login?.environment || '-')}.\n`,
  );
}

export const config = group({
  name: 'config',
  about: 'Saved logins and their defaults.',
  commands: [
    command({
      name: 'get-contexts',
      about: 'List the saved logins.',
      examples: ['core config get-contexts'],
      run: listLogins,
    }),
    command({
      name: 'use-context',
      about: 'Choose the login that is used from now on.',
      args: [{ name: 'NAME', about: 'the name of a saved login', completes: 'contexts' }],
      examples: ['core config use-context staging'],
      exits: [exits.notFound],
      run: useLogin,
    }),
    command({
      name: 'set-context',
      about: 'Set the default project and environment of a login.',
      more: 'A flag that is left out keeps its default.',
      args: [{ name: '[NAME]', about: 'the name of a saved login; the current one otherwise', completes: 'contexts' }],
      examples: ['core config set-context --project shop --environment production'],
      exits: [exits.notFound],
      run: setDefaults,
    }),
  ],
});
