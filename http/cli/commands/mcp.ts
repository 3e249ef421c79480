import { descriptionOf, identityOf } from '../../mcp/caller.ts';
import type { Allowed } from '../../mcp/offered.ts';
import { hostOf, isLoopback, placeOf } from '../../mcp/place.ts';
import { command, isSet, listFlag, type Run, textFlag } from '../command.ts';
import { findTarget } from '../config/resolve.ts';
import { CommandFailure, exits } from '../exits.ts';

/** Loaded on use: the library of the protocol is larger than all commands together. */
async function loaded() {
  const { setFlagsFromString } = await import('node:v8');
  // What it makes as it starts stays: room for it at once spares half of the collections on the way.
  setFlagsFromString('--semi-space-growth-factor=16');
  return import('../../mcp/serve.ts');
}

const allowedIn = (run: Run): Allowed => ({ readOnly: isSet(run, 'readOnly'), deletion: isSet(run, 'allowDelete') });

/** The installation whose API agents use. Over HTTP each brings a token of its own, and none is saved here. */
function addressOf(run: Run): string {
  const target = findTarget(run.resolving());
  if (target === null) throw new CommandFailure(exits.usage, 'say which installation: give --url, or CORE_URL');
  return target.address;
}

/** Further names by which agents reach it. */
const namesIn = (run: Run): readonly string[] =>
  listFlag(run, 'allowHost').map((text) => {
    const name = hostOf(text);
    if (name === null) throw new CommandFailure(exits.usage, `--allow-host "${text}" is no name or address of a host`);
    return name;
  });

async function serveAll(run: Run, text: string): Promise<void> {
  const { serveHttp } = await loaded();
  const place = placeOf(text);
  if (place === null) throw new CommandFailure(exits.usage, `--listen "${text}" is no HOST:PORT`);
  const names = namesIn(run);
  const address = addressOf(run);
  if (!isLoopback(place.host))
    await run.note(
      `Warning: ${place.host} is no loopback address, and tokens of agents are sent there in plain HTTP\n`,
    );
  const clientFor = (token: string) => run.clientOf({ address, token });
  await serveHttp({ ...place, allowed: allowedIn(run), names, now: run.io.clock.now, clientFor }, (port) => {
    void run.note(`Listening on http://${text.replace(/:\d+$/, '')}:${port}/mcp for agents of ${address}\n`);
  });
}

/** Loads the protocol while the API is described; throws before the first byte without a sign-in. */
async function serveOne(run: Run): Promise<void> {
  const client = run.client();
  const caller = identityOf(client);
  const [identity, description, { serveInput }] = await Promise.all([
    caller,
    descriptionOf(client),
    caller.then(loaded),
  ]);
  await serveInput({ client, identity, description }, allowedIn(run));
}

export const mcp = command({
  name: 'mcp',
  about: 'Serve agents over the Model Context Protocol.',
  more: 'It acts as the token that is signed in with, and offers what that token may use. Without --listen it speaks over standard input and output.',
  flags: [
    { flags: '--read-only', about: 'offer no tool that changes something' },
    { flags: '--allow-delete', about: 'offer the tool that deletes' },
    { flags: '--listen <host:port>', about: 'serve over HTTP instead, each agent with a token of its own' },
    {
      flags: '--allow-host <name>',
      about: 'another name by which agents reach it, besides its own address; may be repeated',
      repeats: true,
    },
  ],
  examples: [
    'core mcp --read-only',
    'core mcp --listen 127.0.0.1:7099',
    'core mcp --listen 0.0.0.0:7099 --allow-host agents.example.com',
  ],
  exits: [exits.notAllowed],
  run: async (run) => {
    const at = textFlag(run, 'listen');
    if (at !== undefined) return serveAll(run, at);
    if (listFlag(run, 'allowHost').length > 0) throw new CommandFailure(exits.usage, '--allow-host wants --listen');
    return serveOne(run);
  },
});
