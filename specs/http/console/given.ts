import { type CoreConsoleSession, coreConsoleSession } from '../../../crds/coreConsoleSession.ts';
import { typeMeta } from '../../../crds/kind.ts';
import { consoleSessions } from '../../../runtime/services/cluster/kinds.ts';
import { container, putCopy } from '../../support/copies.ts';
import { inSystem } from '../../support/project.ts';
import { openTerminal, refusedTerminal } from '../../support/terminal.ts';
import { until } from '../../support/until.ts';
import { type Asking, asking, serveShop } from '../services/given.ts';
import type { Served } from '../served.ts';

/** A service `web` with one running copy, `web-1`, and sessions in it. */
export async function serveConsole(
  settings: { readonly pingMs?: number } = {},
  change?: Parameters<typeof serveShop>[0],
) {
  const served: Served = await serveShop(change, settings);
  const the: Asking = asking(served);
  await the.deployed();
  const { world } = served;
  putCopy(world, { app: 'web', name: 'web-1' });
  const { token } = await served.makeToken();
  const bearer = { authorization: `Bearer ${token}` };
  const target = { pod: 'web-1', container, command: ['sh'] };
  const session = (name: string): CoreConsoleSession | undefined =>
    world.cluster.all(consoleSessions).find(({ metadata }) => metadata.name === name);
  const phase = (name: string) => session(name)?.status?.phase ?? '';
  const address = (name: string, at = served.url) => `${at}/api/apps/web/console/ws?session=${name}`;
  const create = async (fields: object = {}): Promise<string> => {
    const made = await served.post('/api/apps/web/console/create', { ...target, ...fields });
    if (made.status !== 201) throw new Error(made.text);
    return (made.json() as { readonly session: string }).session;
  };
  /** A session as kubectl makes it. */
  const put = (name: string, spec: object = {}, annotations: Readonly<Record<string, string>> = {}) =>
    world.cluster.put(consoleSessions, {
      ...typeMeta(coreConsoleSession),
      metadata: { ...inSystem(name), annotations },
      spec: { ...target, app: 'web', project: 'shop', environment: 'production', timeoutSeconds: 300, ...spec },
    });
  const lines = (message: string) => served.lines.filter((line) => line.message === message);
  return {
    served,
    the,
    world,
    bearer,
    target,
    session,
    phase,
    address,
    create,
    put,
    lines,
    attach: async (name: string, headers: Readonly<Record<string, string>> = bearer) =>
      openTerminal(address(name), headers),
    refused: (name: string, headers: Readonly<Record<string, string>> = bearer) =>
      refusedTerminal(address(name), headers),
    /** A session with its terminal, once both stand. */
    opened: async (fields: object = {}) => {
      const name = await create(fields);
      const terminal = await openTerminal(address(name), bearer);
      return { name, terminal };
    },
    is: (name: string, wanted: string) =>
      until(() => phase(name) === wanted, `${name} is ${wanted}, not ${phase(name)}`),
    stop: () => served.stop(),
  };
}

export type Console = Awaited<ReturnType<typeof serveConsole>>;
