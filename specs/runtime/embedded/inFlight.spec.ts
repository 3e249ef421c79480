import { EventEmitter, once } from 'node:events';
import type { ClientRequest } from 'node:http';
import { request } from 'node:https';
import * as assert from 'uvu/assert';
import { attributesOf } from '../../../runtime/embedded/api/authorization/attributes.ts';
import { createInFlight } from '../../../runtime/embedded/api/inFlight.ts';
import { StatusError } from '../../../runtime/embedded/api/status.ts';
import { suite } from '../../support/suite.ts';
import { until } from '../../support/until.ts';
import { configMap, inSystem, type Started, started } from './started.ts';

const spec = suite<{ api: Started }>('requests in flight');
spec.before(async (context) => {
  context.api = await started();
});
spec.after(({ api }) => api.end());

const maps = `${inSystem}/configmaps`;
const pods = `${inSystem}/pods`;

/** Counts requests of one user with room for two reads and one write. */
function small() {
  const inFlight = createInFlight({ reads: 2, writes: 1 });
  return (method: string, url: string, isAdmin = false) => {
    const [path = '', query] = url.split('?');
    const response = new EventEmitter();
    try {
      inFlight.count(attributesOf(method, path, new URLSearchParams(query)), isAdmin, response as never);
      return response;
    } catch (error) {
      assert.instance(error, StatusError);
      return (error as StatusError).body.code;
    }
  };
}

spec('reads and writes are counted apart, until their responses close', () => {
  const ask = small();
  const [read] = [ask('GET', maps), ask('GET', `${maps}/one`)];
  const write = ask('POST', maps);
  assert.equal([ask('GET', maps), ask('HEAD', maps), ask('DELETE', `${maps}/one`)], [429, 429, 429]);
  (read as EventEmitter).emit('close');
  assert.instance(ask('GET', maps), EventEmitter);
  (write as EventEmitter).emit('close');
  assert.instance(ask('PATCH', `${maps}/one`), EventEmitter);
  assert.is(ask('PUT', `${maps}/one`), 429);
});

spec('streams are not counted, and an administrator is always answered', () => {
  const ask = small();
  for (let count = 0; count < 3; count++) {
    assert.instance(ask('GET', `${maps}?watch=true`), EventEmitter);
    assert.instance(ask('GET', `${pods}/one/log?follow=true`), EventEmitter);
    assert.instance(ask('POST', `${pods}/one/exec`), EventEmitter);
    assert.instance(ask('POST', maps, true), EventEmitter);
  }
  assert.is(ask('POST', maps), 429);
});

/** The token of an account that may do everything, and is no administrator. */
async function tokenOfAccount({ send }: Started): Promise<string> {
  const name = 'busy';
  await send('POST', `${inSystem}/serviceaccounts`, { body: { metadata: { name } } });
  const body = {
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ kind: 'ServiceAccount', name, namespace: 'core-system' }],
  };
  await send('POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', { body });
  const made = await send('POST', `${inSystem}/serviceaccounts/${name}/token`, { body: {} });
  return (made.body['status'] as { readonly token: string }).token;
}

/** A write that has reached the API, and whose body does not come. */
async function held({ url, caPem }: Started, token: string): Promise<ClientRequest> {
  const headers = {
    Authorization: `Bearer ${token}`,
    'Content-Type': 'application/json',
    'Content-Length': 100,
    Expect: '100-continue',
  };
  const asked = request(`${url}${maps}`, { method: 'POST', ca: caPem, headers, agent: false });
  asked.flushHeaders();
  await once(asked, 'continue');
  return asked;
}

spec('two hundred writes at a time are answered, one more is asked to come back after a second', async ({ api }) => {
  const token = await tokenOfAccount(api);
  let made = 0;
  const write = async (as: string) => {
    const body = configMap(`made-${made++}`, {});
    const { code, headers } = await api.send('POST', maps, { body, token: as });
    return [code, headers['retry-after']];
  };
  const open: ClientRequest[] = [];
  while (open.length < 200) open.push(await held(api, token));
  assert.equal(await write(token), [429, '1']);
  assert.is((await api.send('GET', maps, { token })).code, 200);
  assert.equal(await write(api.token), [201, undefined]);
  for (const one of open) one.end('x'.repeat(100));
  await until(async () => (await write(token))[0] === 201, 'a write is answered');
});

spec.run();
