import { addressOf, hostOf, isSameAddress } from '../../apiClient/address.ts';
import { read } from '../../apiClient/shape.ts';
import { accessText, type Caller, identityShape } from '../access.ts';
import { command, isSet, type Run, textFlag } from '../command.ts';
import { type ConfigFile, loginNamed, withLogin } from '../config/file.ts';
import { chosenName, givenAddress, givenToken } from '../config/resolve.ts';
import { changeConfig } from '../config/store.ts';
import { CommandFailure, exits } from '../exits.ts';
import { plain } from '../text/plain.ts';
import { deviceSignIn } from './deviceSignIn.ts';

function addressFor(run: Run): string {
  const given = run.resolving();
  const address = givenAddress(given);
  if (address !== undefined) return address;
  const { file } = given;
  const login = loginNamed(file, chosenName(given)) ?? loginNamed(file, file.current);
  const saved = addressOf(login?.url ?? '');
  if (saved.is === 'address') return saved.url;
  throw new CommandFailure(exits.usage, 'say which service to sign in to: core login --url <address>');
}

/** The token of the command line, the environment or standard input; empty without one. A saved one is not used. */
async function tokenOf(run: Run): Promise<string> {
  const { io, globals } = run;
  if (globals.token || !isSet(run, 'tokenStdin')) return givenToken({ flags: globals, env: io.env });
  const line = (await io.input.line())?.trim() ?? '';
  if (line === '') throw new CommandFailure(exits.usage, 'there is no token on standard input');
  return line;
}

/** What is saved of the one who signed in. */
const ofCaller = ({ username: user, role, expiresAt }: Caller) => ({
  user,
  ...(role === undefined ? {} : { role }),
  ...(expiresAt === undefined ? {} : { expiresAt }),
});

/** Defaults are kept where the name was for the same address already. */
function withSignedIn(file: ConfigFile, name: string, { url, token, identity }: SignedIn): ConfigFile {
  const before = loginNamed(file, name);
  const { project, environment, role: _role, expiresAt: _expiresAt, ...others } = before ?? { url };
  const defaults =
    before !== null && isSameAddress(before.url, url)
      ? { ...(project === undefined ? {} : { project }), ...(environment === undefined ? {} : { environment }) }
      : {};
  const login = { ...others, url, token, ...ofCaller(identity), ...defaults };
  return { ...withLogin(file, name, login), current: name };
}

interface SignedIn {
  readonly url: string;
  readonly token: string;
  readonly identity: Caller;
}

async function signIn(run: Run): Promise<void> {
  const url = addressFor(run);
  const given = await tokenOf(run);
  const token = given === '' ? await deviceSignIn(run, url) : given;
  const identity = read(identityShape, await run.clientOf({ address: url, token }).ask('GET', '/me'));
  const name = textFlag(run, 'name') ?? (run.globals.context || hostOf(url));
  await changeConfig(run.io, (file) => withSignedIn(file, name, { url, token, identity }));
  if (run.globals.json) return run.json({ context: name, url, ...ofCaller(identity) });
  const access = accessText(identity);
  return run.print(`Signed in to ${url} as ${plain(identity.username)}${access === '' ? '' : ` (${plain(access)})`}\n`);
}

export const login = command({
  name: 'login',
  about: 'Sign in to an installation and save the login.',
  more: 'Without a token it prints a code that a signed-in admin approves on a page of the dashboard.',
  flags: [
    { flags: '--token-stdin', about: 'read the API token from the first line of standard input' },
    { flags: '--no-browser', about: 'open no browser' },
    { flags: '--name <name>', about: 'save the login under this name; the host of the address otherwise' },
  ],
  examples: [
    'core login --url https://core.example.com',
    'core login --url https://core.example.com --token-stdin < token',
  ],
  exits: [exits.notAllowed, exits.timedOut, exits.interrupted],
  run: signIn,
});
