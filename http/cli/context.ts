import { type ApiClient, makeClient } from '../apiClient/client.ts';
import { makeTransport, type Transport } from '../apiClient/transport.ts';
import { version } from '../version.ts';
import type { Run } from './command.ts';
import type { ConfigFile } from './config/file.ts';
import { type Globals, requireTarget, type Target } from './config/resolve.ts';
import { readConfig } from './config/store.ts';
import type { Io } from './io.ts';
import { jsonText } from './text/plain.ts';
import { tableParts } from './text/table.ts';

/** What a command is run with: files and connections are opened when it first needs them. */
export function makeContext(
  io: Io,
  globals: Globals,
  { args, flags }: Pick<Run, 'args' | 'flags'>,
): Run & { readonly close: () => void } {
  let file: ConfigFile | undefined;
  let target: Target | undefined;
  let client: ApiClient | undefined;
  const transports = new Map<string, Transport>();

  const config = () => (file ??= readConfig(io));
  const resolving = () => ({ flags: globals, env: io.env, file: config() });
  const targetOf = () => (target ??= requireTarget(resolving()));
  const transportTo = (address: string): Transport => {
    const transport = transports.get(address) ?? makeTransport(new URL(address), io.env);
    transports.set(address, transport);
    return transport;
  };
  const clientOf = ({ address, token }: Pick<Target, 'address' | 'token'>): ApiClient =>
    makeClient({
      address,
      agent: `core/${version}`,
      env: io.env,
      transport: transportTo(address),
      ...(token === '' ? {} : { token }),
    });
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
    table: async (header, rows) => print(await tableParts(header)(rows)),
    tableParts: (header) => {
      const text = tableParts(header);
      return async (rows) => print(await text(rows));
    },
    note: (text) => io.err.write(text),
    close: () => transports.forEach((one) => one.close()),
  };
}
