import { type ApiClient, makeClient } from '../apiClient/client.ts';
import { version } from '../version.ts';
import type { Run } from './command.ts';
import type { ConfigFile } from './config/file.ts';
import { type Globals, requireTarget, type Target } from './config/resolve.ts';
import { readConfig } from './config/store.ts';
import type { Io } from './io.ts';
import { jsonText } from './text/plain.ts';

/** What a command is run with: files and connections are opened when it first needs them. */
export function makeContext(
  io: Io,
  globals: Globals,
  { args, flags }: Pick<Run, 'args' | 'flags'>,
): Run & { readonly close: () => void } {
  let file: ConfigFile | undefined;
  let target: Target | undefined;
  let client: ApiClient | undefined;
  const clients: ApiClient[] = [];

  const config = () => (file ??= readConfig(io));
  const resolving = () => ({ flags: globals, env: io.env, file: config() });
  const targetOf = () => (target ??= requireTarget(resolving()));
  const clientOf = ({ address, token }: Pick<Target, 'address' | 'token'>): ApiClient => {
    const made = makeClient({
      address,
      agent: `core/${version}`,
      env: io.env,
      ...(token === '' ? {} : { token }),
    });
    clients.push(made);
    return made;
  };
  const print = (text: string) => io.out.write(text);
  return {
    args,
    flags,
    globals,
    io,
    config,
    resolving,
    target: targetOf,
    clientOf,
    client: () => (client ??= clientOf(targetOf())),
    print,
    json: (value) => print(`${jsonText(value)}\n`),
    table: async (header, rows) => {
      // Loaded on use: what knows the widths of characters takes as long to load as all else.
      const { tableText } = await import('./text/table.ts');
      return print(tableText(header, rows));
    },
    note: (text) => io.err.write(text),
    close: () => clients.forEach((one) => one.close()),
  };
}
