import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { webcrypto } from 'node:crypto';
import { join } from 'node:path';
import * as x509 from '@peculiar/x509';
import * as assert from 'uvu/assert';
import { at, listAt, textAt, type Json } from '../../../runtime/embedded/api/json.ts';
import { suite } from '../../support/suite.ts';
import { eventually, inSystem, type Sent, type Started, started } from './started.ts';

const spec = suite<{ api: Started }>('authentication');
spec.before(async (context) => {
  context.api = await started();
});
spec.after(({ api }) => api.end());

const crypto = webcrypto as unknown as Crypto;
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const accounts = `${inSystem}/serviceaccounts`;

/** A client certificate of the cluster's own authority, or of one that only has its name. */
async function clientWith({ dataDir, caPem }: Started, subject: string, isOurs = true): Promise<Agent> {
  const kept = JSON.parse(readFileSync(join(dataDir, 'pki', 'certificates.json'), 'utf8')) as { caKey: string };
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const signingKey = isOurs
    ? await crypto.subtle.importKey('pkcs8', x509.PemConverter.decodeFirst(kept.caKey), algorithm, true, ['sign'])
    : keys.privateKey;
  const certificate = await x509.X509CertificateGenerator.create(
    {
      subject,
      issuer: new x509.X509Certificate(caPem).subject,
      serialNumber: '0101',
      notBefore: new Date(Date.now() - 60_000),
      notAfter: new Date(Date.now() + 3_600_000),
      publicKey: keys.publicKey,
      signingKey,
      signingAlgorithm: algorithm,
      extensions: [new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.clientAuth])],
    },
    crypto,
  );
  const key = x509.PemConverter.encode(await crypto.subtle.exportKey('pkcs8', keys.privateKey), 'PRIVATE KEY');
  return new Agent({ ca: caPem, cert: certificate.toString('pem'), key });
}

async function whoami(api: Started, sent: Sent): Promise<{ code: number; user: Json; reason: string }> {
  const { code, body } = await api.send('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', {
    body: {},
    ...sent,
  });
  return { code, user: at(body, 'status', 'userInfo') as Json, reason: textAt(body, 'reason') };
}

async function tokenFor(api: Started, name: string, body: Json = {}): Promise<string> {
  const { code, body: answer } = await api.send('POST', `${accounts}/${name}/token`, { body });
  assert.is(code, 201, textAt(answer, 'message'));
  return textAt(answer, 'status', 'token');
}

const makeAccount = (api: Started, name: string) => api.send('POST', accounts, { body: { metadata: { name } } });
const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')) as Json;

spec(
  'the admin is in system:masters, a wrong token is 401, and a request without one is anonymous',
  async ({ api }) => {
    const { user } = await whoami(api, {});
    assert.equal(user, { username: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] });
    assert.is((await whoami(api, { token: 'wrong' })).code, 401);
    const nobody = await whoami(api, { token: '' });
    assert.equal([nobody.code, nobody.reason], [403, 'Forbidden']);
    assert.is((await api.send('GET', '/version', { token: '' })).code, 200);
    const api403 = await api.send('GET', '/apis', { token: '' });
    assert.is(textAt(api403.body, 'message'), 'forbidden: User "system:anonymous" cannot get path "/apis"');
  },
);

spec(
  'a certificate of the authority names user and groups, and one of another authority is refused',
  async ({ api }) => {
    const agent = await clientWith(api, 'CN=jane,O=dev,O=ops');
    const { user } = await whoami(api, { token: '', agent });
    assert.is(user['username'], 'jane');
    assert.equal(
      listAt(user, 'groups')
        .map(String)
        .toSorted((a, b) => a.localeCompare(b)),
      ['dev', 'ops', 'system:authenticated'],
    );
    assert.is((await api.send('GET', `${inSystem}/pods`, { token: '', agent })).code, 403);
    agent.destroy();
    const master = await clientWith(api, 'CN=root,O=system:masters');
    assert.is((await api.send('GET', `${inSystem}/pods`, { token: '', agent: master })).code, 200);
    master.destroy();
    const forged = await clientWith(api, 'CN=jane,O=system:masters', false);
    assert.is((await api.send('GET', `${inSystem}/pods`, { token: '', agent: forged })).code, 401);
    forged.destroy();
  },
);

spec('a token identifies its service account until the account is deleted or recreated', async ({ api }) => {
  const { body: account } = await makeAccount(api, 'bob');
  const token = await tokenFor(api, 'bob');
  const { user } = await whoami(api, { token });
  assert.is(user['username'], 'system:serviceaccount:core-system:bob');
  assert.is(user['uid'], at(account, 'metadata', 'uid'));
  assert.equal(user['groups'], [
    'system:serviceaccounts',
    'system:serviceaccounts:core-system',
    'system:authenticated',
  ]);
  const [head = '', claims = '', signature = ''] = token.split('.');
  const other = claims.startsWith('f') ? `e${claims.slice(1)}` : `f${claims.slice(1)}`;
  assert.is((await whoami(api, { token: `${head}.${other}.${signature}` })).code, 401);
  const forged = Buffer.from(JSON.stringify({ ...claimsOf(token), sub: 'x' })).toString('base64url');
  assert.is((await whoami(api, { token: `${head}.${forged}.${signature}` })).code, 401);
  await api.send('DELETE', `${accounts}/bob`);
  assert.is((await whoami(api, { token })).code, 401);
  await makeAccount(api, 'bob');
  assert.is((await whoami(api, { token })).code, 401);
});

spec('a token is valid for its duration and audience, and until its bound object is deleted', async ({ api }) => {
  await makeAccount(api, 'eve');
  const short = await api.send('POST', `${accounts}/eve/token`, { body: { spec: { expirationSeconds: 599 } } });
  assert.is(short.code, 422);
  assert.match(textAt(short.body, 'message'), /may not specify a duration less than 10 minutes/);
  const { iat, exp, aud } = claimsOf(await tokenFor(api, 'eve', { spec: { expirationSeconds: 7_200 } }));
  assert.is(Number(exp) - Number(iat), 7_200);
  assert.equal(aud, ['https://kubernetes.default.svc.cluster.local']);
  const elsewhere = await tokenFor(api, 'eve', { spec: { audiences: ['vault'] } });
  assert.is((await whoami(api, { token: elsewhere })).code, 401);
  const pod = {
    metadata: { name: 'p' },
    spec: { serviceAccountName: 'eve', containers: [{ name: 'c', image: 'i' }] },
  };
  assert.is((await api.send('POST', `${inSystem}/pods`, { body: pod })).code, 201);
  const boundObjectRef = { kind: 'Pod', apiVersion: 'v1', name: 'p' };
  const bound = await tokenFor(api, 'eve', { spec: { boundObjectRef } });
  const { user } = await whoami(api, { token: bound });
  assert.equal(at(user, 'extra', 'authentication.kubernetes.io/pod-name'), ['p']);
  await api.send('DELETE', `${inSystem}/pods/p`);
  assert.is((await whoami(api, { token: bound })).code, 401);
});

spec('a Secret of a service account gets a token that is valid until the Secret is deleted', async ({ api }) => {
  await makeAccount(api, 'kept');
  const secret = {
    metadata: { name: 'kept', annotations: { 'kubernetes.io/service-account.name': 'kept' } },
    type: 'kubernetes.io/service-account-token',
  };
  await api.send('POST', `${inSystem}/secrets`, { body: secret });
  const data = async () => at((await api.send('GET', `${inSystem}/secrets/kept`)).body, 'data') as Json | undefined;
  await eventually(async () => textAt(await data(), 'token') !== '', 'the Secret has a token');
  const decoded = (text: string) => Buffer.from(text, 'base64').toString('utf8');
  const filled = await data();
  assert.is(decoded(textAt(filled, 'ca.crt')), api.caPem);
  assert.is(decoded(textAt(filled, 'namespace')), 'core-system');
  const token = decoded(textAt(filled, 'token'));
  assert.is((await whoami(api, { token })).user['username'], 'system:serviceaccount:core-system:kept');
  await api.send('DELETE', `${inSystem}/secrets/kept`);
  assert.is((await whoami(api, { token })).code, 401);
});

spec('a TokenReview distinguishes valid tokens from others, and returns their audiences', async ({ api }) => {
  await makeAccount(api, 'reviewed');
  const review = async (token: string, audiences?: readonly string[]) => {
    const body = { spec: { token, ...(audiences && { audiences }) } };
    return (await api.send('POST', '/apis/authentication.k8s.io/v1/tokenreviews', { body })).body['status'] as Json;
  };
  const token = await tokenFor(api, 'reviewed', { spec: { audiences: ['vault', 'other'] } });
  assert.is(at(await review(token), 'authenticated'), undefined);
  const good = await review(token, ['vault', 'third']);
  assert.is(good['authenticated'], true);
  assert.is(textAt(good, 'user', 'username'), 'system:serviceaccount:core-system:reviewed');
  assert.equal(good['audiences'], ['vault']);
  assert.is((await review('wrong'))['error'], 'invalid bearer token');
});

spec('every namespace has a default account and the authority, and pods need an existing account', async ({ api }) => {
  await api.send('POST', '/api/v1/namespaces', { body: { metadata: { name: 'fresh' } } });
  const path = '/api/v1/namespaces/fresh';
  const body = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const made = await api.send('POST', `${path}/pods`, { body });
  assert.is(textAt(made.body, 'spec', 'serviceAccountName'), 'default');
  assert.is(
    textAt(made.body, 'spec', 'containers', 0, 'volumeMounts', 0, 'mountPath'),
    '/var/run/secrets/kubernetes.io/serviceaccount',
  );
  const refused = await api.send('POST', `${path}/pods`, {
    body: { metadata: { name: 'q' }, spec: { ...body.spec, serviceAccountName: 'none' } },
  });
  assert.is(refused.code, 403);
  assert.is(
    textAt(refused.body, 'message'),
    'pods "q" is forbidden: error looking up service account fresh/none: serviceaccount "none" not found',
  );
  const map = await api.send('GET', `${path}/configmaps/kube-root-ca.crt`);
  assert.is(textAt(map.body, 'data', 'ca.crt'), api.caPem);
  await api.send('DELETE', `${path}/serviceaccounts/default`);
  const isBack = async () => (await api.send('GET', `${path}/serviceaccounts/default`)).code === 200;
  await eventually(isBack, 'the default account comes back');
});

spec.run();
