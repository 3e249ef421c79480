import type { Agent } from 'node:https';
import { coreApp } from '../../crds/coreApp.ts';
import { type HistoryEntry, type KubeObject, typeMeta } from '../../crds/kind.ts';
import { program } from '../../crds/names.ts';
import { appliedObject, ownerOf } from '../../rules/owned/ownedObject.ts';
import { serviceObjects } from '../../rules/service/objects.ts';
import { eventOfMove, kubeEvent } from '../../runtime/write/kubeEvent.ts';
import { apps } from '../../runtime/services/cluster/kinds.ts';
import { plainSettled } from '../support/settled.ts';
import { bareEntry } from './bareEntry.ts';
import { type ApiAccess, atApi, caller, configMap, each, path } from './embeddedClient.ts';
import { processorMs } from './processorTime.ts';
import { serviceOpen } from './serviceLives.ts';

/** Processor time of the embedded API for one write of each kind that the operator makes, in milliseconds. */
export interface WriteFigures {
  /** A status patch of a service, by the number of moves in its history. */
  readonly statusMs: Readonly<Record<number, number>>;
  /** A server-side apply that changes a Deployment. */
  readonly applyMs: number;
  /** An Event that is created. */
  readonly eventMs: number;
  /** A merge patch of a ConfigMap, about the least that a write can be. */
  readonly leastMs: number;
}

export const moves = [1, 20, 60];
const objects = 20;
const atOnce = 4;
const writesARound = 300;
const rounds = 4;
const namespace = 'shop-production';
const core = '/apis/core.platform/v1alpha1/namespaces/core-system/coreapps';
const deployments = `/apis/apps/v1/namespaces/${namespace}/deployments`;
const forced = `?fieldManager=${program}&force=true`;

type Write = (turn: number) => Promise<void>;

export const embeddedWrites = (): Promise<WriteFigures> =>
  atApi(async (access, agent, { pid }) => {
    const writes = await prepared(access, agent);
    const spent = new Map<string, number>();
    // In turns, so that what else the machine does hits all alike; the first round only warms up.
    for (let round = 0; round <= rounds; round += 1)
      for (const [name, write] of writes) {
        const before = processorMs(pid);
        await each(atOnce, async (lane) => {
          for (let turn = lane; turn < writesARound; turn += atOnce) await write(round * writesARound + turn);
        });
        if (round > 0) spent.set(name, (spent.get(name) ?? 0) + processorMs(pid) - before);
      }
    const msOf = (name: string) => (spent.get(name) ?? 0) / (rounds * writesARound);
    return {
      statusMs: Object.fromEntries(moves.map((count) => [count, msOf(`status ${count}`)])),
      applyMs: msOf('apply'),
      eventMs: msOf('event'),
      leastMs: msOf('least'),
    };
  });

/** The writes by name, each over objects of its own. */
async function prepared(access: ApiAccess, agent: Agent): Promise<ReadonlyMap<string, Write>> {
  const call = caller(access, agent);
  const post = (path: string, object: object) => call('POST', path, JSON.stringify(object));
  await post('/api/v1/namespaces', { metadata: { name: namespace } });
  await each(objects, (index) => call('POST', path, configMap(`m${index}`)));
  const writes = new Map<string, Write>();
  writes.set('least', (turn) =>
    call('PATCH', `${path}/m${turn % objects}`, JSON.stringify({ data: { turn: String(turn) } })),
  );
  for (const count of moves) {
    await each(objects, (index) => post(core, serviceOpen(`m${count}-${index}`)));
    writes.set(`status ${count}`, (turn) =>
      call('PATCH', `${core}/m${count}-${turn % objects}/status`, JSON.stringify(statusPatch(count, turn))),
    );
  }
  const apply = caller(access, agent, 'application/apply-patch+yaml');
  writes.set('apply', (turn) => {
    const body = deploymentOf(`d${turn % objects}`, `nginx:1.${turn}`);
    return apply('PATCH', `${deployments}/d${turn % objects}${forced}`, JSON.stringify(body));
  });
  const service: KubeObject = {
    ...serviceOpen('m1-0'),
    metadata: { name: 'm1-0', namespace: 'core-system', uid: 'u' },
  };
  writes.set('event', (turn) =>
    post('/api/v1/namespaces/core-system/events', kubeEvent(apps, service, eventOfMove(move(turn), 'Normal'))),
  );
  return writes;
}

/** What the operator writes as a service moves: what it is now, and its history with the newest move. */
const statusPatch = (count: number, turn: number) => ({
  status: {
    phase: turn % 2 === 0 ? 'Ready' : 'Provisioning',
    conditions: [
      {
        type: 'Ready',
        status: turn % 2 === 0 ? 'True' : 'False',
        reason: turn % 2 === 0 ? 'Ready' : 'Provisioning',
        message: 'Service is running',
        lastTransitionTime: '2027-01-01T00:00:00Z',
      },
    ],
    history: Array.from({ length: count }, (_, index) => move(turn + index + 1)),
  },
});

function move(seq: number): HistoryEntry {
  const arrow = { machine: 'service', from: 'Provisioning', event: 'provisioned', to: 'Ready' };
  const entry = bareEntry(seq, arrow);
  return { ...entry, params: [{ name: 'image', value: 'nginx:1.27', to: 'viewer', at: 12 }] };
}

function deploymentOf(name: string, image: string): KubeObject {
  const app = { ...serviceOpen(name), metadata: { name, namespace: 'core-system', uid: `uid-of-${name}` } };
  const found = serviceObjects(app, app.spec, plainSettled(image)).find(({ kind }) => kind === 'Deployment');
  if (!found) throw new Error('a service has no Deployment');
  return appliedObject(found, ownerOf(typeMeta(coreApp).kind, app));
}
