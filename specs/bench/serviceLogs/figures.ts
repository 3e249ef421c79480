import { request } from 'node:http';
import { Context } from 'effect';
import type { ServiceLog } from '../../../http/api.ts';
import { label, managedBy } from '../../../crds/names.ts';
import { workloadPods } from '../../../runtime/controllers/capacity.ts';
import { Cluster } from '../../../runtime/services/cluster/cluster.ts';
import { kubeCluster } from '../../../runtime/services/kube/cluster.ts';
import type { Served } from '../../http/served.ts';
import { asking, serveShop } from '../../http/services/given.ts';
import { until } from '../../support/until.ts';
import { median } from '../measure.ts';
import { type LogServer, logPath, startLogServer } from './kubelet.ts';

const labels = { [label.managedBy]: managedBy, [label.kind]: 'CoreApp', [label.name]: 'web' };

/** A service with so many copies, whose logs are read over real connections. */
async function withCopies<A>(copies: number, figure: (served: Served, logs: LogServer) => Promise<A>): Promise<A> {
  const logs = await startLogServer();
  const { logLines } = kubeCluster(logs.config);
  const served = await serveShop((services) =>
    Context.add(services, Cluster, { ...Context.get(services, Cluster), logLines }),
  );
  try {
    await asking(served).deployed();
    for (let number = 0; number < copies; number++)
      served.world.cluster.put(workloadPods, {
        metadata: { name: `web-${number}`, namespace: 'shop-production', labels },
        spec: { containers: [{ name: 'app' }] },
        status: { phase: 'Running', containerStatuses: [{ name: 'app', restartCount: 0 }] },
      } as never);
    const last = () => served.operator.caches.get(workloadPods, `web-${copies - 1}`, 'shop-production');
    await until(last, 'the copies are cached');
    return await figure(served, logs);
  } finally {
    await served.stop();
    await logs.stop();
  }
}

const readers = 50;
const written = 300;
const pauseMs = 20;

/** Reads the stream of a log; calls back with each mark in it. */
function follow(served: Served, heard: (mark: number) => void): Promise<() => void> {
  return new Promise((open, failed) => {
    const headers = { cookie: served.cookieOf() };
    const asked = request(`${served.url}/api/v1/apps/web/logs/stream`, { headers, agent: false }, (response) => {
      if (response.statusCode !== 200) return failed(new Error(`the stream answered ${response.statusCode}`));
      let rest = '';
      response.setEncoding('utf8').on('data', (text: string) => {
        const lines = (rest + text).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) {
          const mark = /"line":"mark (\d+)"/.exec(line)?.[1];
          if (mark !== undefined) heard(Number(mark));
        }
      });
      open(() => asked.destroy());
    });
    asked.on('error', failed).end();
  });
}

/** From the moment a container writes a line until each of 50 readers has its event. */
export const followedFigures = () =>
  withCopies(1, async (served, logs) => {
    const sentAt: number[] = [];
    const took: number[] = [];
    const heard = (mark: number) => took.push(performance.now() - (sentAt[mark] ?? Number.NaN));
    const leave = await Promise.all(Array.from({ length: readers }, () => follow(served, heard)));
    await until(() => logs.followers().now === 1, 'the container is followed');
    for (let mark = 0; mark < written; mark++) {
      sentAt.push(performance.now());
      logs.write('web-0', `mark ${mark}`);
      await new Promise((go) => setTimeout(go, pauseMs));
    }
    await until(() => took.length >= written * readers, `${written * readers} events came`, 30_000);
    const upstreams = logs.followers().most;
    for (const close of leave) close();
    const sorted = took.toSorted((a, b) => a - b);
    const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
    return { readers, medianMs: at(0.5), p99Ms: at(0.99), upstreams, doubled: took.length - written * readers };
  });

const copies = 10;
const linesEach = 100;
const rounds = 60;

const processorMs = (since: NodeJS.CpuUsage) => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000;
};

/** Reading 1,000 lines over 10 copies, against reading each copy's lines with nothing between, in time of the processor. */
export const readFigures = () =>
  withCopies(copies, async (served, logs) => {
    for (let line = 0; line < linesEach; line++)
      for (let copy = 0; copy < copies; copy++)
        logs.write(`web-${copy}`, `level=info msg="GET /orders/${line}" status=200 took=${copy}ms`);
    const bare = async () => {
      const startedAt = process.cpuUsage();
      const paths = Array.from({ length: copies }, (_, copy) => logPath(`web-${copy}`));
      const texts = await Promise.all(
        paths.map(async (path) => (await fetch(`${logs.url}${path}?tailLines=1000&timestamps=true`)).text()),
      );
      const lines = texts.flatMap((text) => text.trimEnd().split('\n')).toSorted();
      return { ms: processorMs(startedAt), lines: lines.length };
    };
    const mine = async () => {
      const startedAt = process.cpuUsage();
      const answer = await fetch(`${served.url}/api/v1/apps/web/logs?tail=1000`, {
        headers: { cookie: served.cookieOf() },
      });
      const { items } = (await answer.json()) as ServiceLog;
      return { ms: processorMs(startedAt), lines: items.length };
    };
    const taken: { readonly mine: number; readonly bare: number }[] = [];
    for (let round = 0; round < rounds; round++) {
      const [one, other] = [await bare(), await mine()];
      if (one.lines !== copies * linesEach || other.lines !== one.lines)
        throw new Error(`${other.lines} lines were read, and ${one.lines} by the bare reader`);
      taken.push({ mine: other.ms, bare: one.ms });
    }
    const [mineMs, bareMs] = [median(taken.map((one) => one.mine)), median(taken.map((one) => one.bare))];
    return { mineMs, bareMs, ratio: mineMs / bareMs };
  });
