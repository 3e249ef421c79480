import { addressOf, isSameAddress } from '../../apiClient/address.ts';
import { CommandFailure, exits } from '../exits.ts';
import { type ConfigFile, type Login, loginNamed, loginNames } from './file.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The global flags that were given, of which an empty one counts as not given. */
export interface Globals {
  readonly context?: string | undefined;
  readonly url?: string | undefined;
  readonly token?: string | undefined;
  readonly project?: string | undefined;
  readonly environment?: string | undefined;
  readonly json?: boolean | undefined;
  readonly yes?: boolean | undefined;
}

type Variable = 'CORE_URL' | 'CORE_TOKEN' | 'CORE_PROJECT' | 'CORE_ENVIRONMENT' | 'CORE_CONTEXT';

/** A variable without the spaces around it, which came with the file or the clipboard that it was taken from. */
const variable = (env: Environment, name: Variable): string => env[name]?.trim() ?? '';

/** Everything that says whom a command asks, and as whom. */
export interface ResolveOptions {
  readonly flags: Globals;
  readonly env: Environment;
  readonly file: ConfigFile;
}

/** Whom a command asks, as whom, and the defaults that go with it. */
export interface Target {
  /** The name of the saved login that is used; null for none. */
  readonly name: string | null;
  readonly address: string;
  /** Empty where nobody is signed in. */
  readonly token: string;
  readonly project: string;
  readonly environment: string;
}

const noLogin = (name: string, file: ConfigFile): CommandFailure => {
  const names = loginNames(file);
  const which = names.length === 0 ? 'there are none' : `there are ${names.join(', ')}`;
  return new CommandFailure(exits.notFound, `no saved login called "${name}": ${which}`);
};

/** A saved login that must be there. */
export function requireLogin(file: ConfigFile, name: string): Login {
  const login = loginNamed(file, name);
  if (login === null) throw noLogin(name, file);
  return login;
}

/** The name of the login that was chosen by flag or variable, which is never swapped for another. */
export const chosenName = ({ flags, env }: Pick<ResolveOptions, 'flags' | 'env'>): string | undefined =>
  flags.context || variable(env, 'CORE_CONTEXT') || undefined;

/** The address that was given by flag or variable. */
export function givenAddress({ flags, env }: Pick<ResolveOptions, 'flags' | 'env'>): string | undefined {
  const [name, text] = flags.url ? ['--url', flags.url] : ['CORE_URL', variable(env, 'CORE_URL')];
  if (!text) return undefined;
  const address = addressOf(text);
  if (address.is === 'wrong') throw new CommandFailure(exits.usage, `${name} "${text}": ${address.message}`);
  return address.url;
}

const canonical = (url: string): string => {
  const address = addressOf(url);
  return address.is === 'address' ? address.url : url;
};

export const givenToken = ({ flags, env }: Pick<ResolveOptions, 'flags' | 'env'>): string =>
  flags.token?.trim() || variable(env, 'CORE_TOKEN');

/** The saved login whose values are used at an address; null for none. */
function loginAt(given: ResolveOptions, address: string): readonly [string, Login] | null {
  const { file } = given;
  const chosen = chosenName(given);
  if (chosen !== undefined) {
    const login = requireLogin(file, chosen);
    return isSameAddress(login.url, address) ? [chosen, login] : null;
  }
  const current = loginNamed(file, file.current);
  if (current !== null && isSameAddress(current.url, address)) return [file.current ?? '', current];
  const there = Object.entries(file.contexts ?? {}).filter(([, { url }]) => isSameAddress(url, address));
  const [only] = there;
  if (there.length < 2) return only ?? null;
  // With a token of its own a command needs no login.
  if (givenToken(given) !== '') return null;
  const names = there.map(([name]) => name).toSorted();
  throw new CommandFailure(
    exits.usage,
    `several logins are saved for ${address}: say which with --context (${names.join(', ')})`,
  );
}

/** The login that is used when no address is given; null for none. */
function ownLogin(given: ResolveOptions): readonly [string, Login] | null {
  const chosen = chosenName(given);
  if (chosen !== undefined) return [chosen, requireLogin(given.file, chosen)];
  const current = loginNamed(given.file, given.file.current);
  return current === null ? null : [given.file.current ?? '', current];
}

/** The first that was given; an empty one was not. */
const first = (...texts: readonly (string | undefined)[]): string => texts.find(Boolean) ?? '';

/** Whom a command asks and as whom; null where no address is known. The token may be empty. */
export function findTarget(given: ResolveOptions): Target | null {
  const { flags, env } = given;
  const address = givenAddress(given);
  const found = address === undefined ? ownLogin(given) : loginAt(given, address);
  const [name, login] = found ?? [null, null];
  const url = address ?? login?.url;
  if (url === undefined) return null;
  return {
    name,
    address: canonical(url),
    token: first(givenToken(given), login?.token),
    project: first(flags.project, variable(env, 'CORE_PROJECT'), login?.project),
    environment: first(flags.environment, variable(env, 'CORE_ENVIRONMENT'), login?.environment),
  };
}

/** The same for a command that must be signed in. */
export function requireTarget(given: ResolveOptions): Target {
  const target = findTarget(given);
  if (target === null) throw new CommandFailure(exits.notAllowed, "not signed in: run 'core login --url <address>'");
  if (target.token === '')
    throw new CommandFailure(
      exits.notAllowed,
      `not signed in to ${target.address}: run 'core login --url ${target.address}'`,
    );
  return target;
}
