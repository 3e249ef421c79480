import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { noKubectl } from '../../support/kubectl.ts';
import { suite } from '../../support/suite.ts';
import { unless } from '../../support/unless.ts';
import { type Started, started } from './started.ts';

interface Shell {
  readonly api: Started;
  /** Exit code and all that is printed, over one of two kubeconfigs: the admin's, or one without credentials. */
  readonly kubectl: (...words: readonly string[]) => Promise<string>;
  readonly file: (name: string, text: string) => string;
}

const spec = suite<Shell>('kubectl and access');
const missing = noKubectl();
const test = unless(spec, missing);

spec.before(async (context) => {
  if (missing !== null) return;
  const api = await started();
  const env = { ...process.env, KUBECONFIG: api.kubeconfigPath, KUBECACHEDIR: join(api.dataDir, 'cache') };
  const kubectl = (...words: readonly string[]) =>
    new Promise<string>((done) =>
      execFile('kubectl', words, { env, timeout: 300_000 }, (error, output, complaint) =>
        done(`${error ? `exit ${String(error.code)}\n` : ''}${output}${complaint}`),
      ),
    );
  const file = (name: string, text: string) => {
    const path = join(api.dataDir, name);
    writeFileSync(path, text);
    return path;
  };
  Object.assign(context, { api, kubectl, file });
  await kubectl('create', 'namespace', 'shop');
});
spec.after(({ api }) => (missing === null ? api.end() : undefined));

test('whoami names the admin, the impersonated user, and a service account by its token', async ({ kubectl }) => {
  assert.is(
    await kubectl('auth', 'whoami'),
    'ATTRIBUTE   VALUE\nUsername    kubernetes-admin\nGroups      [system:masters system:authenticated]\n',
  );
  assert.is(
    await kubectl('auth', 'whoami', '--as', 'jane', '--as-group', 'dev', '--as-uid', '7'),
    'ATTRIBUTE   VALUE\nUsername    jane\nUID         7\nGroups      [dev system:authenticated]\n',
  );
  assert.is(await kubectl('create', 'serviceaccount', 'robot', '-n', 'shop'), 'serviceaccount/robot created\n');
  const token = (await kubectl('create', 'token', 'robot', '-n', 'shop')).trim();
  const told = await kubectl('auth', 'whoami', '--token', token);
  assert.match(told, /^Username +system:serviceaccount:shop:robot$/m);
  assert.match(told, /^Groups +\[system:serviceaccounts system:serviceaccounts:shop system:authenticated\]$/m);
  assert.is(
    await kubectl('get', 'pods', '-n', 'shop', '--token', token),
    'exit 1\nError from server (Forbidden): pods is forbidden: User "system:serviceaccount:shop:robot" cannot list resource "pods" in API group "" in the namespace "shop"\n',
  );
  assert.is(
    await kubectl('create', 'token', 'nobody', '-n', 'shop'),
    'exit 1\nerror: failed to create token: serviceaccounts "nobody" not found\n',
  );
  assert.match(
    await kubectl('auth', 'whoami', '--token', 'wrong'),
    /^exit 1\nerror: You must be logged in to the server/,
  );
});

test('kubectl creates roles and bindings, and auth can-i answers with its exit code and lists rights', async ({
  kubectl,
}) => {
  assert.is(await kubectl('auth', 'can-i', '*', '*'), 'yes\n');
  const no = 'exit 1\nno\n';
  const canList = () => kubectl('auth', 'can-i', 'list', 'pods', '-n', 'shop', '--as', 'joe');
  assert.is(await canList(), no);
  const verbs = ['--verb=get,list', '--resource=pods,pods/log', '-n', 'shop'];
  assert.is(await kubectl('create', 'role', 'reader', ...verbs), 'role.rbac.authorization.k8s.io/reader created\n');
  assert.is(
    await kubectl('create', 'rolebinding', 'joe', '--role=reader', '--user=joe', '-n', 'shop'),
    'rolebinding.rbac.authorization.k8s.io/joe created\n',
  );
  assert.is(await canList(), 'yes\n');
  assert.is(await kubectl('auth', 'can-i', 'list', 'pods', '-A', '--as', 'joe'), no);
  assert.is(await kubectl('auth', 'can-i', 'get', '/healthz', '--as', 'joe'), 'yes\n');
  assert.is(await kubectl('get', 'pods', '-n', 'shop', '--as', 'joe'), 'No resources found in shop namespace.\n');
  const listed = await kubectl('auth', 'can-i', '--list', '-n', 'shop', '--as', 'joe');
  assert.match(listed, /^Resources +Non-Resource URLs +Resource Names +Verbs\n/);
  assert.match(listed, /^pods +\[\] +\[\] +\[get list\]$/m);
  assert.match(listed, /^pods\/log +\[\] +\[\] +\[get list\]$/m);
  assert.match(listed, /^selfsubjectreviews\.authentication\.k8s\.io +\[\] +\[\] +\[create\]$/m);
  assert.is(
    await kubectl('create', 'clusterrole', 'paths', '--verb=get', '--non-resource-url=/logs/*'),
    'clusterrole.rbac.authorization.k8s.io/paths created\n',
  );
  await kubectl('create', 'clusterrolebinding', 'lost', '--clusterrole=nowhere', '--user=zoe');
  assert.is(
    await kubectl('auth', 'can-i', 'list', 'pods', '--as', 'zoe'),
    'exit 1\nno - RBAC: clusterrole.rbac.authorization.k8s.io "nowhere" not found\n',
  );
});

const reconciled = (verb: string, user: string) => `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: kept, namespace: shop}
rules: [{apiGroups: [''], resources: [configmaps], verbs: [${verb}]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: kept, namespace: shop}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: kept}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: ${user}}]
`;

test('kubectl auth reconcile creates missing objects and rights and keeps others', async ({ kubectl, file }) => {
  const reconcile = (verb: string, user: string) =>
    kubectl('auth', 'reconcile', '-f', file('kept.yaml', reconciled(verb, user)));
  assert.match(
    await reconcile('get', 'ann'),
    /^role\.rbac\.authorization\.k8s\.io\/kept reconciled\n[^]*required create/,
  );
  assert.is(
    await reconcile('get', 'ann'),
    'role.rbac.authorization.k8s.io/kept reconciled\nrolebinding.rbac.authorization.k8s.io/kept reconciled\n',
  );
  const added = await reconcile('list', 'ben');
  assert.match(added, /missing rules added:\n\t\t\{Verbs:\[list\] APIGroups:\[\] Resources:\[configmaps\]/);
  assert.match(added, /missing subjects added:\n\t\t\{Kind:User APIGroup:rbac\.authorization\.k8s\.io Name:ben/);
  for (const user of ['ann', 'ben'])
    for (const verb of ['get', 'list'])
      assert.is(await kubectl('auth', 'can-i', verb, 'configmaps', '-n', 'shop', '--as', user), 'yes\n');
});

test('kubectl reports a refused role or binding with more rights than its user has', async ({ kubectl }) => {
  await kubectl('create', 'rolebinding', 'boss', '--clusterrole=admin', '--user=boss', '-n', 'shop');
  const boss = ['-n', 'shop', '--as', 'boss'];
  assert.is(
    await kubectl('create', 'role', 'nodes', '--verb=get', '--resource=nodes', ...boss),
    'exit 1\nError from server (Forbidden): roles.rbac.authorization.k8s.io "nodes" is forbidden: user "boss" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["nodes"], Verbs:["get"]}\n',
  );
  assert.is(
    await kubectl('create', 'rolebinding', 'dev', '--clusterrole=edit', '--user=dev', ...boss),
    'rolebinding.rbac.authorization.k8s.io/dev created\n',
  );
  assert.match(
    await kubectl('create', 'rolebinding', 'root', '--clusterrole=cluster-admin', '--user=boss', ...boss),
    /^exit 1\nerror: failed to create rolebinding: rolebindings\.rbac\.authorization\.k8s\.io "root" is forbidden: user "boss"/,
  );
  const patch = ['--type=merge', '-p', '{"roleRef":{"name":"view"}}'];
  assert.is(
    await kubectl('patch', 'rolebinding', 'dev', '-n', 'shop', ...patch),
    'exit 1\nThe RoleBinding "dev" is invalid: roleRef: Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"ClusterRole","Name":"view"}: cannot change roleRef\n',
  );
});

spec.run();
