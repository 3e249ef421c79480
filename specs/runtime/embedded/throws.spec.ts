import * as assert from 'uvu/assert';
import { textAt } from '../../../runtime/embedded/api/json.ts';
import type { PodLogs } from '../../../runtime/embedded/api/podLogs.ts';
import { suite } from '../../support/suite.ts';
import { wire } from './channels.ts';
import { type Started, configMap, inSystem, merge, started } from './started.ts';

/** What throws, as each test wants it. */
interface World {
  readonly api: Started;
  readonly throws: { log: PodLogs['follow']; read: () => string; exec: () => Promise<never> };
}

const spec = suite<World>('exceptions while a request is served');
const pods = `${inSystem}/pods`;
const broken = () => {
  throw new Error('broken on purpose');
};
/** Even to make text of it throws. */
const wordless = Object.create(null) as object;

spec.before(async (context) => {
  const throws: World['throws'] = { log: broken, read: broken, exec: broken };
  const api = await started({
    podLogs: { read: () => throws.read(), follow: (...asked) => throws.log(...asked) },
    podProcesses: { exec: () => throws.exec(), attach: () => throws.exec() },
  });
  Object.assign(context, { api, throws });
  const containers = [{ name: 'web', image: 'web:1' }];
  await api.send('POST', pods, { body: { metadata: { name: 'web' }, spec: { containers, nodeName: 'somewhere' } } });
  const containerStatuses = [{ name: 'web', state: { running: { startedAt: '2026-01-01T00:00:00Z' } } }];
  const body = { status: { containerStatuses } };
  assert.is((await api.send('PATCH', `${pods}/web/status`, { body, type: merge })).code, 200);
});
spec.after.each(async ({ api }) => {
  assert.is((await api.send('GET', '/version')).code, 200);
});
spec.after(({ api }) => api.end());

const failureOf = (sending: Promise<unknown>) =>
  sending.then(
    () => 'none',
    (why: unknown) => (why as NodeJS.ErrnoException).code ?? String(why),
  );

spec('an exception before the response is 500', async ({ api }) => {
  const { code, body } = await api.send('GET', `${pods}/web/log`);
  assert.equal([code, textAt(body, 'message')], [500, 'Internal error occurred: broken on purpose']);
});

spec('an error that cannot be described is 500 with a fixed text', async ({ api, throws }) => {
  throws.read = () => {
    throw wordless;
  };
  const { code, text } = await api.send('GET', `${pods}/web/log`);
  assert.equal([code, text], [500, 'the request failed; the log of the server says why\n']);
});

spec('an exception during a response closes its connection', async ({ api, throws }) => {
  throws.read = () => '';
  assert.is(await failureOf(api.send('GET', `${pods}/web/log?follow=true`)), 'ECONNRESET');
  throws.log = () => ({ stop: () => {}, ended: Promise.reject(new Error('broken later')) });
  assert.is(await failureOf(api.send('GET', `${pods}/web/log?follow=true`)), 'ECONNRESET');
  throws.log = (_pod, _container, onLine) => {
    setTimeout(() => {
      for (const text of ['one', 'two', 'three']) void onLine(text, Date.now());
    }, 10);
    return { stop: () => {}, ended: new Promise(() => {}) };
  };
  assert.is((await api.send('GET', `${pods}/web/log?follow=true&limitBytes=5`)).text, 'one\nt');
});

spec('an exception in a streaming connection is reported in its status', async ({ api, throws }) => {
  const open = () => wire(api, 'web/exec?command=ls&stdout=true');
  const thrown = await open();
  assert.is(await thrown.closed, 1000);
  assert.match(thrown.status().message ?? '', /broken on purpose/);
  throws.exec = () => Promise.reject(new Error('rejected on purpose'));
  const rejected = await open();
  assert.is(await rejected.closed, 1000);
  assert.match(rejected.status().message ?? '', /rejected on purpose/);
});

spec('an exception in a listener of the store affects neither other listeners nor the write', async ({ api }) => {
  const heard: string[] = [];
  const watch = await api.watch(`${inSystem}/configmaps?watch=true&fieldSelector=metadata.name%3Dheard`);
  const forget = [api.store.onChange(broken), api.store.onChange(({ object }) => heard.push(object.metadata.name))];
  assert.is((await api.send('POST', `${inSystem}/configmaps`, { body: configMap('heard') })).code, 201);
  for (const one of forget) one();
  const [event] = await watch.next(1);
  assert.is(textAt(event, 'object', 'metadata', 'name'), 'heard');
  assert.equal(heard, ['heard']);
  watch.stop();
});

spec.run();
