import type { ConsoleCreated, NewApiToken, PodItem } from '../../../http/api.ts';
import { type Product, startProduct } from '../../support/product.ts';
import { openTerminal, type Terminal } from '../../support/terminal.ts';
import { until } from '../../support/until.ts';
import { inspected, type Memory, memoryReader } from './memoryOf.ts';
import { bareExec, type BareTerminal } from './bareExec.ts';

/** A cluster in one process, Core in another, and a running copy of a service whose commands run on this machine. */
export interface Shop {
  readonly create: (command: readonly string[], timeoutSeconds?: number) => Promise<string>;
  readonly attach: (session: string) => Promise<Terminal>;
  /** The same stream without Core. */
  readonly bare: (command: readonly string[]) => Promise<BareTerminal>;
  readonly memory: () => Promise<Memory>;
  readonly end: () => Promise<void>;
}

const app = 'web';

async function postTo({ api }: Product, path: string, body: object): Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  const answer = await api(path, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

async function runningCopy(core: Product, project: string): Promise<PodItem> {
  const service = { project, environment: 'production', name: app, source: 'image', image: 'nginx:1.27', deploy: true };
  await postTo(core, '/api/apps', service);
  let found: PodItem | undefined;
  await until(async () => {
    const answer = await core.api(`/api/apps/${app}/pods`);
    const { items = [] } = (await answer.json()) as { readonly items?: readonly PodItem[] };
    found = items.find(({ ready }) => ready);
    return found !== undefined;
  }, 'a copy runs');
  if (!found) throw new Error('no copy');
  return found;
}

export async function openShop(): Promise<Shop> {
  const cluster = await startProduct({ env: { CORE_EXEC: 'local' }, args: ['--role', 'cluster'] });
  const kubeconfig = cluster.endpoints.operatorKubeconfig ?? '';
  const core = await startProduct({ env: inspected, args: ['--kubeconfig', kubeconfig] });
  const memory = await memoryReader(core.stderr);
  const { name: project } = (await postTo(core, '/api/projects', { displayName: 'shop' })) as { readonly name: string };
  const { name: pod, containers } = await runningCopy(core, project);
  const container = containers[0]?.name ?? '';
  const { token } = (await postTo(core, '/api/tokens', { name: 'a script', role: 'admin' })) as NewApiToken;
  const address = (session: string) =>
    `${core.endpoints.dashboard ?? ''}/api/apps/${app}/console/ws?session=${session}`;
  return {
    create: async (command, timeoutSeconds = 900) => {
      const asked = { pod, container, command, timeoutSeconds };
      return ((await postTo(core, `/api/apps/${app}/console/create`, asked)) as ConsoleCreated).session;
    },
    attach: (session) => openTerminal(address(session), { authorization: `Bearer ${token}` }),
    bare: (command) =>
      bareExec(cluster.endpoints.kubeconfig ?? '', { namespace: `${project}-production`, pod, container, command }),
    memory: memory.read,
    end: async () => {
      memory.close();
      for (const one of [core, cluster]) {
        await one.end('SIGTERM');
        one.clean();
      }
    },
  };
}
