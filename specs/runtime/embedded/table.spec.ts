import * as assert from 'uvu/assert';
import { at, listAt, textAt } from '../../../runtime/embedded/api/json.ts';
import { shortDuration } from '../../../runtime/embedded/api/table/age.ts';
import { podReady, podRestarts, podStatus } from '../../../runtime/embedded/api/table/pod.ts';
import { jsonPath } from '../../../runtime/embedded/api/table/jsonPath.ts';
import { suite } from '../../support/suite.ts';
import { type Started, build, configMap, core, inSystem, install, started } from './started.ts';

const spec = suite<{ api: Started }>('table');
spec.before(async (context) => {
  context.api = await started();
  await install(context.api);
});
spec.after(({ api }) => api.end());

const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';

spec('durations are as short as those of kubectl', () => {
  const minute = 60_000;
  const hour = 60 * minute;
  const shown = [0, 119_000, 2.5 * minute, 10 * minute, 179 * minute, 3.5 * hour, 47 * hour, 50 * hour, 24 * 9 * hour];
  assert.equal(shown.map(shortDuration), ['0s', '119s', '2m30s', '10m', '179m', '3h30m', '47h', '2d2h', '9d']);
});

spec('the table row of a pod matches kubectl: restarts with the last time, and the reason of a failed start', () => {
  const now = Date.now();
  const ago = (seconds: number) => new Date(now - seconds * 1_000 - 100).toISOString();
  const ended = (seconds: number, exitCode = 1) => ({ terminated: { exitCode, finishedAt: ago(seconds) } });
  const shown = (status: object) => {
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' }, spec: { containers: [{}, {}] }, status };
    return [podReady, podStatus, podRestarts].map((column) => column(pod as never));
  };
  const running = { running: {} };
  const back = { waiting: { reason: 'CrashLoopBackOff' } };
  const containerStatuses = [
    { ready: true, restartCount: 2, state: running, lastState: ended(30) },
    { ready: false, restartCount: 1, state: back, lastState: ended(10) },
  ];
  assert.equal(shown({ phase: 'Running', containerStatuses }), ['1/2', 'CrashLoopBackOff', '3 (10s ago)']);
  const initContainerStatuses = [
    { restartCount: 0, state: ended(60, 0), lastState: {} },
    { restartCount: 4, state: back, lastState: ended(5) },
  ];
  const first = { phase: 'Pending', initContainerStatuses, containerStatuses: [{ restartCount: 0, state: {} }] };
  assert.equal(shown(first), ['0/2', 'Init:CrashLoopBackOff', '4 (5s ago)']);
  const half = [
    { ready: true, restartCount: 0, state: running, lastState: {} },
    { ready: false, restartCount: 0, state: { terminated: { exitCode: 0, reason: 'Completed' } }, lastState: {} },
  ];
  assert.equal(shown({ phase: 'Running', containerStatuses: half }), ['1/2', 'NotReady', '0']);
  const conditions = [{ type: 'Ready', status: 'True' }];
  assert.is(shown({ phase: 'Running', containerStatuses: half, conditions })[1], 'Running');
});

spec('the paths of printer columns find fields, items and filtered items', () => {
  const object = {
    a: {
      'b.c': 1,
      l: [
        { t: 'x', v: 5 },
        { t: 'y', v: 6 },
      ],
    },
  };
  const find = (path: string) => jsonPath(path)(object);
  assert.equal(find(".a['b.c']"), [1]);
  assert.equal(find('.a.b\\.c'), [1]);
  assert.equal(find('.a.l[1].v'), [6]);
  assert.equal(find('.a.l[*].v'), [5, 6]);
  assert.equal(find('.a.l[?(@.t=="y")].v'), [6]);
  assert.equal(find('.nope.v'), []);
});

spec('a kind without columns has a name and an age; one with columns has those', async ({ api }) => {
  await api.send('POST', `${core}/corebuilds`, { body: build('plain') });
  const builds = await api.send('GET', `${core}/corebuilds`, { accept });
  assert.equal(
    listAt(builds.body, 'columnDefinitions').map((one) => textAt(one, 'name')),
    ['Name', 'Age'],
  );
  assert.is(at(builds.body, 'rows', 0, 'cells', 0), 'plain');
  assert.match(textAt(builds.body, 'rows', 0, 'cells', 1), /^\ds$/);
  assert.is(textAt(builds.body, 'rows', 0, 'object', 'kind'), 'PartialObjectMetadata');
  const apps = await api.send('GET', `${core}/coreapps`, { accept });
  assert.ok(listAt(apps.body, 'columnDefinitions').length > 2);
});

spec('rows of a table carry no object, its metadata or the whole object, as requested', async ({ api }) => {
  await api.send('POST', `${inSystem}/configmaps`, { body: configMap('x', { a: '1', b: '2' }) });
  const row = async (include: string) =>
    at((await api.send('GET', `${inSystem}/configmaps/x?includeObject=${include}`, { accept })).body, 'rows', 0);
  assert.is(at(await row('None'), 'object'), null);
  assert.equal(at(await row('Object'), 'object', 'data'), { a: '1', b: '2' });
  assert.is(at(await row('Metadata'), 'cells', 1), 2);
});

spec('a watch of a table sends its columns once', async ({ api }) => {
  const watch = await api.watch(`${inSystem}/configmaps?watch=true`, accept);
  await api.send('POST', `${inSystem}/configmaps`, { body: configMap('y') });
  // One of the authority's certificate, one of x, one of y.
  const [first, , second] = await watch.next(3);
  assert.is(textAt(first, 'object', 'kind'), 'Table');
  assert.ok(listAt(first, 'object', 'columnDefinitions').length > 0);
  assert.is(at(second, 'object', 'columnDefinitions'), null);
  assert.is(at(second, 'object', 'rows', 0, 'cells', 0), 'y');
  watch.stop();
});

spec.run();
