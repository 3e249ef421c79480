import { Context } from 'effect';
import * as assert from 'uvu/assert';
import type { ServiceLog, ServiceLogLine } from '../../../http/api.ts';
import { label, managedBy } from '../../../crds/names.ts';
import { workloadPods } from '../../../runtime/controllers/capacity.ts';
import { apps } from '../../../runtime/services/cluster/kinds.ts';
import { Cluster } from '../../../runtime/services/cluster/cluster.ts';
import { containerLogs } from '../../support/containerLogs.ts';
import { suite } from '../../support/suite.ts';
import { until } from '../../support/until.ts';
import { listenTo } from '../listener.ts';
import type { Served } from '../served.ts';
import { type Asking, asking, refusalOf, serveShop } from './given.ts';

const spec = suite('logs of a service');
let served: Served;
let the: Asking;
let logs: ReturnType<typeof containerLogs>;

spec.before.each(async () => {
  logs = containerLogs();
  served = await serveShop((services) =>
    Context.add(services, Cluster, { ...Context.get(services, Cluster), logLines: logs.logLines }),
  );
  the = asking(served);
  await the.deployed();
});
spec.after.each(() => served.stop());

const namespace = 'shop-production';
const labels = { [label.managedBy]: managedBy, [label.kind]: 'CoreApp', [label.name]: 'web' };
async function addPod(name: string, { restarts = 0 } = {}): Promise<void> {
  served.world.cluster.put(workloadPods, {
    metadata: { name, namespace, labels },
    spec: { containers: [{ name: 'app' }] },
    status: { phase: 'Running', containerStatuses: [{ name: 'app', restartCount: restarts }] },
  } as never);
  await until(
    () =>
      JSON.stringify(served.operator.caches.get(workloadPods, name, namespace) ?? null).includes(
        `"restartCount":${restarts}`,
      ),
    'the pod is cached',
  );
}
async function startPod(name: string): Promise<void> {
  logs.start(name);
  await addPod(name);
}
const at = (second: number, nanos = 0) =>
  `2026-01-01T00:00:${String(second).padStart(2, '0')}.${String(nanos).padStart(9, '0')}Z`;
const read = async (query = '') => the.read<ServiceLog>(`/apps/web/logs${query}`);
const textsOf = ({ items }: ServiceLog) => items.map(({ line }) => line);

async function follow(query = '', headers: Readonly<Record<string, string>> = {}) {
  const stream = await listenTo(`${served.url}/api/v1/apps/web/logs/stream${query}`, {
    cookie: served.cookieOf(),
    ...headers,
  });
  const lines = () => stream.of('').filter(({ id }) => id !== undefined);
  return {
    ...stream,
    lines,
    texts: () => lines().map(({ data }) => data['line']),
    untilLines: (count: number) => until(() => lines().length >= count, `${count} lines arrived`),
  };
}

spec('API-021 CLI-034 CLI-178 the newest lines of all copies are read, oldest first', async () => {
  await startPod('web-1');
  await startPod('web-2');
  logs.write('web-1', 'a', at(1));
  logs.write('web-2', 'b', at(2, 5));
  logs.write('web-2', 'c', at(2, 6));
  logs.write('web-1', 'ERROR: d', at(3));
  const log = await read();
  assert.equal(textsOf(log), ['a', 'b', 'c', 'ERROR: d']);
  assert.equal(log.missing, []);
  assert.equal(log.items.at(-1), {
    t: '2026-01-01T00:00:03.000Z',
    service: 'web',
    pod: 'web-1',
    container: 'app',
    line: 'ERROR: d',
    level: 'error',
  });
  assert.equal(textsOf(await read('?tail=2')), ['c', 'ERROR: d']);
});

spec('CLI-179 CLI-171 the limit of lines applies to each copy before the filters of level and text', async () => {
  await startPod('web-1');
  logs.write('web-1', 'WARN: hot', at(1));
  logs.write('web-1', 'fine', at(2));
  logs.write('web-1', 'ERROR: Hot', at(3));
  assert.equal(textsOf(await read('?level=warn')), ['WARN: hot', 'ERROR: Hot']);
  assert.equal(textsOf(await read('?q=hOT')), ['WARN: hot', 'ERROR: Hot']);
  assert.equal(textsOf(await read('?level=warn&tail=2')), ['ERROR: Hot']);
  assert.equal(textsOf(await read('?q=hot&tail=1')), ['ERROR: Hot']);
});

spec('CLI-167 CLI-168 CLI-169 CLI-170 CLI-172 a log parameter out of range is refused with its reason', async () => {
  const refused = async (query: string) => refusalOf(await served.ask(`/api/v1/apps/web/logs${query}`));
  for (const tail of ['0', '1001', '-1', '1.5', 'x'])
    assert.is(await refused(`?tail=${tail}`), '400 tail must be a whole number from 1 to 1000');
  for (const since of ['2d', '169h', '-1h', '0s'])
    assert.is(await refused(`?since=${since}`), '400 since must be a duration such as 48h, at most 168h');
  assert.is(await refused(`?q=${'x'.repeat(201)}`), '400 q must be at most 200 characters');
  assert.is(await refused('?level=fatal'), '400 level must be error, warn, info or debug');
  assert.is(refusalOf(await served.ask('/api/v1/apps/none/logs')), '404 service "none" was not found');
  for (const query of ['?tail=0', '?since=2d', '?level=x'])
    assert.is((await served.ask(`/api/v1/apps/web/logs/stream${query}`)).status, 400, query);
});

spec('a copy that cannot be read is reported beside the lines of the others', async () => {
  await startPod('web-1');
  logs.write('web-1', 'here', at(1));
  logs.add('web-2');
  await addPod('web-2');
  const log = await read();
  assert.equal(textsOf(log), ['here']);
  assert.equal(log.missing, [{ pod: 'web-2', why: 'container in pod "web-2" is waiting to start' }]);
});

spec('API-022 CLI-175 a stream starts with the newest lines of each copy and continues', async () => {
  await startPod('web-1');
  for (const second of [1, 2, 3]) logs.write('web-1', `line ${second}`, at(second));
  const stream = await follow('?tail=2');
  assert.is(stream.headers['content-type'], 'text/event-stream; charset=utf-8');
  await stream.untilLines(2);
  await until(() => logs.connections().open === 1, 'it is followed');
  logs.write('web-1', 'line 4', at(4));
  await stream.untilLines(3);
  assert.equal(stream.texts(), ['line 2', 'line 3', 'line 4']);
  const [first] = stream.lines();
  assert.is(first?.id, `${Date.parse(at(2))}.web-1.app.0`);
  assert.equal(
    first?.data satisfies object | undefined,
    {
      t: '2026-01-01T00:00:02.000Z',
      service: 'web',
      pod: 'web-1',
      container: 'app',
      line: 'line 2',
      level: 'info',
    } satisfies ServiceLogLine,
  );
  stream.close();
});

spec('a stream shows only lines that match level and text', async () => {
  await startPod('web-1');
  const stream = await follow('?level=warn&q=disk');
  await until(() => logs.connections().open === 1, 'it is followed');
  logs.write('web-1', 'ERROR: no network', at(1));
  logs.write('web-1', 'disk is fine', at(2));
  logs.write('web-1', 'WARN: Disk is full', at(3));
  await stream.untilLines(1);
  assert.equal(stream.texts(), ['WARN: Disk is full']);
  stream.close();
});

spec('CLI-173 no line is lost or repeated after a restart, a broken connection or a new copy', async () => {
  await startPod('web-1');
  logs.write('web-1', 'a', at(1, 1));
  const stream = await follow();
  await until(() => logs.connections().open === 1, 'it is followed');
  logs.write('web-1', 'b', at(1, 2));
  logs.write('web-1', 'b', at(1, 2));
  await stream.untilLines(3);
  logs.breakOff('web-1');
  logs.write('web-1', 'b', at(1, 2), 'unheard');
  logs.write('web-1', 'the last of this run', at(2), 'unheard');
  logs.start('web-1');
  logs.write('web-1', 'the first of the next', at(3));
  await addPod('web-1', { restarts: 1 });
  await stream.untilLines(6);
  await startPod('web-2');
  logs.write('web-2', 'another copy', at(4));
  await stream.untilLines(7);
  const texts = ['a', 'b', 'b', 'b', 'the last of this run', 'the first of the next', 'another copy'];
  assert.equal(stream.texts(), texts);
  stream.close();
});

spec('a stream resumes after the line of the given id', async () => {
  await startPod('web-1');
  await startPod('web-2');
  logs.write('web-1', 'a', at(1, 1));
  logs.write('web-1', 'b', at(1, 2));
  logs.write('web-2', 'c', at(2));
  const id = `${Date.parse(at(1))}.web-1.app.0`;
  const stream = await follow('?tail=1', { 'last-event-id': id });
  await stream.untilLines(2);
  assert.equal(stream.texts(), ['b', 'c']);
  stream.close();
});

spec('many readers share one connection per container, which the last reader closes', async () => {
  await startPod('web-1');
  logs.write('web-1', 'a', at(1));
  const streams = await Promise.all(Array.from({ length: 20 }, () => follow()));
  await Promise.all(streams.map((stream) => stream.untilLines(1)));
  await until(() => logs.connections().open === 1, 'it is followed');
  logs.write('web-1', 'b', at(2));
  await Promise.all(streams.map((stream) => stream.untilLines(2)));
  assert.is(logs.connections().most, 1);
  for (const stream of streams) stream.close();
  await until(() => logs.connections().open === 0, 'nothing is left open');
});

spec('a stream ends with its service and closes its connections', async () => {
  await startPod('web-1');
  const stream = await follow();
  await until(() => logs.connections().open === 1, 'it is followed');
  await the.remove('?confirmName=web');
  await until(() => served.operator.caches.get(apps, 'web') === undefined, 'the service is deleted');
  await until(() => stream.hasEnded(), 'it ended');
  assert.equal(
    stream.of('end').map(({ data }) => data),
    [{ reason: 'service "web" was deleted' }],
  );
  await until(() => logs.connections().open === 0, 'nothing is left open');
});

spec.run();
