import { isObject } from '../../../rules/json.ts';
import { addressOf } from '../../apiClient/address.ts';
import { errorMessage } from '../../../rules/errorMessage.ts';

/** One saved login. */
export interface Login {
  readonly url: string;
  readonly token?: string;
  readonly project?: string;
  readonly environment?: string;
  readonly user?: string;
  readonly role?: string;
  readonly expiresAt?: string;
}

/** The file of saved logins. Fields of other programs are kept. */
export interface ConfigFile {
  readonly current?: string;
  readonly contexts?: Readonly<Record<string, Login>>;
}

const loginTexts = ['token', 'project', 'environment', 'user', 'role', 'expiresAt'];
const isTextOrNone = (value: unknown): boolean => value === undefined || value === null || typeof value === 'string';

/** What is wrong with the content of the file; null where nothing is. */
function faultOf(content: unknown): string | null {
  if (!isObject(content)) return 'it holds no object';
  const { current, contexts } = content;
  if (!isTextOrNone(current)) return 'current is no text';
  if (contexts === undefined || contexts === null) return null;
  if (!isObject(contexts)) return 'contexts is no object';
  for (const [name, login] of Object.entries(contexts)) {
    if (!isObject(login)) return `contexts.${name} is no object`;
    const { url } = login;
    if (typeof url !== 'string') return `contexts.${name}.url is no text`;
    const address = addressOf(url);
    if (address.is === 'wrong') return `contexts.${name}.url: ${address.message}`;
    const wrong = loginTexts.find((field) => !isTextOrNone(login[field]));
    if (wrong !== undefined) return `contexts.${name}.${wrong} is no text`;
  }
  return null;
}

/** Reads the text of the file; a text instead of the file says what is wrong with it. */
export function configIn(text: string): ConfigFile | string {
  if (text.trim() === '') return {};
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    return errorMessage(error);
  }
  return faultOf(content) ?? (content as ConfigFile);
}

/** A saved login by its name, which may be any text. */
export function loginNamed({ contexts }: ConfigFile, name: string | undefined): Login | null {
  if (name === undefined || name === '' || !contexts || !Object.hasOwn(contexts, name)) return null;
  return contexts[name] ?? null;
}

export const loginNames = ({ contexts }: ConfigFile): readonly string[] => Object.keys(contexts ?? {}).toSorted();

/** The file with one login set. */
export const withLogin = (file: ConfigFile, name: string, login: Login): ConfigFile => ({
  ...file,
  contexts: Object.fromEntries([...Object.entries(file.contexts ?? {}), [name, login]]),
});
