import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { Context, Effect, Logger } from 'effect';
import { coreProject, type CoreProject, type WebhookDelivery, type WebhookEvent } from '../../crds/coreProject.ts';
import { typeMeta } from '../../crds/kind.ts';
import { headersOf } from '../../rules/webhookDelivery/request.ts';
import { projectController } from '../../runtime/controllers/project/controller.ts';
import { clusters, everyKind, projects } from '../../runtime/services/cluster/kinds.ts';
import { Cluster, type ClusterShape } from '../../runtime/services/cluster/cluster.ts';
import { nodeReceivers, Receivers } from '../../runtime/services/receivers.ts';
import { startOperator } from '../../runtime/start.ts';
import { makeSender } from '../../runtime/services/webhooks/sender.ts';
import { inSystem } from '../support/project.ts';
import { makeTestEnvironment, until } from '../support/environment.ts';
import { median } from './measure.ts';
import { withServer } from './server.ts';

/** Of the one webhook of each project. */
const webhookId = 'aaaaaaaa';
/** What a list holds. */
const ofProject = 20;
const patienceMs = 180_000;
const ready = {
  type: 'Ready',
  status: 'True',
  reason: 'Ready',
  message: '',
  lastTransitionTime: '2027-01-01T00:00:00Z',
};
const real = nodeReceivers(() => null);

type Answering = (response: ServerResponse, delivery: string) => void;

/** Receivers on loopback: one that answers, and one that never does. */
async function receiver(answering: Answering) {
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => answering(response, String(request.headers['x-core-delivery'])));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** An event of a webhook as a test makes it, with a body as long as that of a deploy. */
const eventOf = (name: string): WebhookEvent => ({
  id: `evt_${name}`,
  type: 'test',
  body: JSON.stringify({ id: `evt_${name}`, type: 'test', message: 'x'.repeat(500) }),
  deliveries: [{ webhookId, deliveryId: name }],
});

const projectOf = (name: string, url: string): CoreProject => ({
  ...typeMeta(coreProject),
  metadata: inSystem(name),
  spec: {
    clusterRef: { name: 'local' },
    environments: ['production'],
    webhooks: [{ id: webhookId, url, disabled: false }],
  },
});
const asked = (cluster: ClusterShape, name: string, deliveries: readonly string[]) =>
  cluster.patchStatus(projects, { name }, { webhookEvents: deliveries.map(eventOf) });

/** A request to the cluster that is made once more, by whoever does nothing else. */
interface Again {
  readonly isWrite: boolean;
  readonly make: () => Effect.Effect<unknown, unknown>;
}

/** The cluster, and what is asked of it, as it goes out: secrets read, moves recorded, Events of them. */
function notes(cluster: ClusterShape): { readonly noted: Again[]; readonly cluster: ClusterShape } {
  const noted: Again[] = [];
  const note = (isWrite: boolean, make: Again['make']) => void noted.push({ isWrite, make });
  return {
    noted,
    cluster: {
      ...cluster,
      get: (resource, name) => {
        note(false, () => cluster.get(resource, name));
        return cluster.get(resource, name);
      },
      create: (resource, object) => {
        const { name } = object.metadata;
        // An object of its name is there already.
        const another = { ...object, metadata: { ...object.metadata, name: `${name}.again` } };
        note(true, () => cluster.create(resource, another));
        return cluster.create(resource, object);
      },
      patchStatus: (resource, name, status, ...rest) => {
        note(true, () => cluster.patchStatus(resource, name, status));
        return cluster.patchStatus(resource, name, status, ...rest);
      },
    },
  };
}

/** The operator over projects, and what it asks of the cluster. */
async function operatorOver(cluster: ClusterShape) {
  const { noted, cluster: noting } = notes(cluster);
  const services = makeTestEnvironment().services.pipe(Context.add(Cluster, noting), Context.add(Receivers, real));
  const { operator, stop } = await startOperator(
    services,
    { controllers: [projectController({ sender: makeSender('bench') })], alsoSeen: everyKind, workers: 16 },
    { logger: Logger.layer([]) },
  );
  await Effect.runPromise(operator.ready);
  const all = () => operator.caches.list(projects);
  return { noted, stop, all };
}

async function readyProjects(cluster: ClusterShape, wanted: readonly CoreProject[]) {
  await Effect.runPromise(cluster.patchStatus(clusters, { name: 'local' }, { conditions: [ready] }));
  await Effect.runPromise(
    Effect.forEach(wanted, (project) => cluster.create(projects, project), { concurrency: 8, discard: true }),
  );
  const over = await operatorOver(cluster);
  const isReady = ({ status }: CoreProject) => status?.phase === 'ProjectReady';
  await until(() => over.all().filter(isReady).length === wanted.length, 'the projects are ready', patienceMs);
  return over;
}

const isUnderWay = ({ durationMillis }: WebhookDelivery): boolean => durationMillis === undefined;

const isSending = ({ metadata, status }: CoreProject): boolean =>
  metadata.name !== 'shop' && (status?.webhookDeliveries ?? []).some(isUnderWay);

/** Whether this many of a project's deliveries have ended. */
const hasEnded = ({ status }: CoreProject, count: number): boolean =>
  (status?.webhookDeliveries ?? []).filter((one) => !isUnderWay(one)).length === count;

/** What some work took, in ms. */
interface Took {
  readonly ms: number;
  /** Of the processor, in this process. */
  readonly cpuMs: number;
}

async function timed(work: () => Promise<unknown>): Promise<Took> {
  const [from, before] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(before);
  return { ms: performance.now() - from, cpuMs: (user + system) / 1_000 };
}

/** Deliveries by the runtime, and the very requests and writes by eight workers that do nothing else. */
export interface DeliveryFigures {
  readonly ratio: number;
  /** Of the processor time of this process, with that of the receiver. */
  readonly cpuRatio: number;
  readonly perSecond: number;
  readonly writes: number;
  /** Of one delivery: processor time of this process, the receiver's with it, and requests to the cluster. */
  readonly cpuMsEach: number;
  readonly requestsEach: number;
}

export const deliveryFigures = (count: number): Promise<DeliveryFigures> =>
  withServer(async (cluster) => {
    const got = new Set<string>();
    const { url, stop: close } = await receiver((response, delivery) => {
      got.add(delivery);
      response.end();
    });
    const names = Array.from({ length: count / ofProject }, (_, at) => `shop-${at}`);
    const all = names.map((name) => projectOf(name, url));
    const { noted, stop, all: seen } = await readyProjects(cluster, all);
    const deliveriesOf = (name: string) => Array.from({ length: ofProject }, (_, at) => `${name}-${at}`);
    const before = noted.length;
    const ours = await timed(async () => {
      await Effect.runPromise(
        Effect.forEach(names, (name) => asked(cluster, name, deliveriesOf(name)), { concurrency: 8, discard: true }),
      );
      const isOver = () => seen().filter((one) => hasEnded(one, ofProject)).length === names.length;
      await until(isOver, 'all ended', patienceMs);
    });
    const requests = noted.slice(before);
    await stop();
    if (got.size !== count) throw new Error(`${got.size} of ${count} were received`);
    const theirs = await timed(() => bare({ deliveries: names.flatMap(deliveriesOf), url, requests }));
    close();
    return {
      ratio: theirs.ms / ours.ms,
      cpuRatio: ours.cpuMs / theirs.cpuMs,
      perSecond: count / (ours.ms / 1_000),
      writes: requests.filter(({ isWrite }) => isWrite).length,
      cpuMsEach: ours.cpuMs / count,
      requestsEach: requests.length / count,
    };
  });

interface Bare {
  readonly deliveries: readonly string[];
  readonly url: string;
  readonly requests: readonly Again[];
}

/** The least that could do the same: eight workers, each with its share of the requests after each delivery. */
async function bare({ deliveries, url, requests }: Bare): Promise<void> {
  const share = requests.length / deliveries.length;
  const deliver = (delivery: string, at: number) => {
    const { id, type, body } = eventOf(delivery);
    const headers = headersOf({ event: type, deliveryId: id, body, secret: null, now: Date.now() });
    const mine = requests.slice(Math.floor(at * share), Math.floor((at + 1) * share));
    return real
      .post({ url, headers, body, timeoutMs: 10_000 })
      .pipe(Effect.andThen(Effect.forEach(mine, ({ make }) => Effect.exit(Effect.suspend(make)), { discard: true })));
  };
  await Effect.runPromise(Effect.forEach(deliveries, deliver, { concurrency: 8, discard: true }));
}

/** Deliveries of a healthy webhook, one after the other: from the event to the request, alone and beside seven hanging. */
export interface HangingFigures {
  readonly aloneMs: number;
  readonly besideMs: number;
  readonly ratio: number;
}

/** What hangs is given up after ten seconds. */
const eachRound = 100;
const rounds = 3;
const hanging = 7;

const p99 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.99) - 1] ?? 0;

export const hangingFigures = (): Promise<HangingFigures> =>
  withServer(async (cluster) => {
    const heard = new Map<string, () => void>();
    const healthy = await receiver((response, delivery) => {
      response.end();
      heard.get(delivery)?.();
    });
    let hangs = 0;
    const stuck = await receiver(() => void hangs++);
    const others = Array.from({ length: hanging }, (_, at) => projectOf(`stuck-${at}`, stuck.url));
    const { stop, all } = await readyProjects(cluster, [projectOf('shop', healthy.url), ...others]);
    let number = 0;
    const one = async (): Promise<number> => {
      const name = `d${number++}`;
      const received = new Promise<void>((go) => heard.set(name, go));
      const from = performance.now();
      await Effect.runPromise(asked(cluster, 'shop', [name]));
      await received;
      const took = performance.now() - from;
      const shop = () => all().find(({ metadata }) => metadata.name === 'shop');
      await until(() => !(shop()?.status?.webhookDeliveries ?? []).some(isUnderWay), 'it ended', patienceMs);
      return took;
    };
    const series = async (lasts: () => boolean = () => true) => {
      const took: number[] = [];
      while (took.length < eachRound && lasts()) took.push(await one());
      return took;
    };
    const hang = () => all().filter((project) => isSending(project)).length === hanging;
    await series();
    const measured: { readonly alone: number; readonly beside: number }[] = [];
    for (let round = 0; round < rounds; round++) {
      const alone = p99(await series());
      const before = hangs;
      await Effect.runPromise(
        Effect.forEach(others, ({ metadata: { name } }) => asked(cluster, name, [`${name}-${round}`]), {
          discard: true,
        }),
      );
      await until(() => hangs === before + hanging, 'seven hang', patienceMs);
      measured.push({ alone, beside: p99(await series(hang)) });
      await until(
        () => all().every(({ status }) => !(status?.webhookDeliveries ?? []).some(isUnderWay)),
        'what hung is given up',
        patienceMs,
      );
    }
    await stop();
    healthy.stop();
    stuck.stop();
    const of = (which: 'alone' | 'beside') => median(measured.map((one) => one[which]));
    const ratio = median(measured.map(({ alone, beside }) => beside / alone));
    return { aloneMs: of('alone'), besideMs: of('beside'), ratio };
  });
