import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { textAt } from '../../../runtime/embedded/api/json.ts';
import { kubectlFor, noKubectl } from '../../support/kubectl.ts';
import { suite } from '../../support/suite.ts';
import { unless } from '../../support/unless.ts';
import { until } from '../../support/until.ts';
import { type Started, started } from './started.ts';

/** kubectl at work on one API. */
interface Shell {
  readonly api: Started;
  /** Its output; fails with what it complains of. */
  readonly kubectl: (...words: readonly string[]) => Promise<string>;
  /** What it goes on printing. */
  readonly follow: ReturnType<typeof kubectlFor>['follow'];
  readonly file: (name: string, text: string) => string;
}

const spec = suite<Shell>('kubectl');
const missing = noKubectl();
const crds = fileURLToPath(new URL('../../../crds/', import.meta.url));

const test = unless(spec, missing);

spec.before(async (context) => {
  if (missing !== null) return;
  const api = await started();
  const env = { ...process.env, KUBECONFIG: api.kubeconfigPath, KUBECACHEDIR: join(api.dataDir, 'cache') };
  const kubectl = (...words: readonly string[]) =>
    new Promise<string>((done, failed) =>
      execFile('kubectl', words, { env, timeout: 300_000 }, (error, output, complaint) =>
        error ? failed(new Error(`kubectl ${words.join(' ')}: ${complaint}`)) : done(output + complaint),
      ),
    );
  const file = (name: string, text: string) => {
    const path = join(api.dataDir, name);
    writeFileSync(path, text);
    return path;
  };
  const { follow } = kubectlFor(api.kubeconfigPath);
  Object.assign(context, { api, kubectl, follow, file });
  await kubectl('apply', '-k', `${crds}manifests`);
});
spec.after(({ api }) => (missing === null ? api.end() : undefined));

const refusal = (asked: Promise<string>) =>
  asked.then(
    () => 'it was not refused',
    (why: unknown) => (why instanceof Error ? why.message : ''),
  );

test('kubectl apply creates an object, then changes nothing, then only changed fields', async ({ kubectl }) => {
  assert.match(await kubectl('apply', '-f', `${crds}samples/builds.yaml`), /hello-by-hand created/);
  assert.match(await kubectl('apply', '-f', `${crds}samples/builds.yaml`), /hello-by-hand unchanged/);
  assert.match(await kubectl('label', 'cb', 'hello-by-hand', 'a=b'), /labeled/);
  assert.match(await kubectl('apply', '--server-side', '-f', `${crds}samples/platform.yaml`), /serverside-applied/);
  assert.match(
    await kubectl('api-resources', '--categories', 'core'),
    /corebuilds +cb +core\.platform\/v1alpha1 +true +CoreBuild/,
  );
});

test('kubectl get prints columns, also of several kinds, and explain describes fields', async ({ kubectl }) => {
  const output = await kubectl('get', 'corebuilds,coreapps');
  assert.match(output, /corebuild\.core\.platform\/hello-by-hand/);
  assert.match(output, /NAME +.*AGE/);
  assert.match(await kubectl('explain', 'corebuild.spec'), /app\t<string> -required-\s+Name of the CoreApp\./);
  assert.match(await kubectl('explain', 'pod.spec.containers'), /imagePullPolicy\t<string>/);
});

test('unknown fields and wrong values are refused by name', async ({ kubectl, file }) => {
  const wrong = file(
    'wrong.yaml',
    'apiVersion: core.platform/v1alpha1\nkind: CoreBuild\nmetadata: {name: wrong}\nspec: {project: p, environment: 3, colour: red}\n',
  );
  assert.match(await refusal(kubectl('apply', '-f', wrong)), /strict decoding error: unknown field "spec\.colour"/);
  const loose = await refusal(kubectl('apply', '--validate=false', '-f', wrong));
  assert.match(loose, /\* spec\.app: Required value/);
  assert.match(loose, /must be of type string: "integer"/);
});

test('kubectl wait follows the status, describe shows Events, and get -w every change', async ({
  kubectl,
  follow,
  file,
}) => {
  const watching = follow('get', 'cb', 'hello-by-hand', '-w', '--no-headers');
  await until(() => watching.text().includes('hello-by-hand'), 'the watch shows it');
  const condition =
    '{"type":"Ready","status":"True","reason":"R","message":"m","lastTransitionTime":"2026-01-01T00:00:00Z"}';
  const waiting = kubectl('wait', '--for=jsonpath={.status.phase}=Pending', 'cb/hello-by-hand', '--timeout=60s');
  const patch = `{"status":{"phase":"Pending","conditions":[${condition}]}}`;
  await kubectl('patch', 'cb', 'hello-by-hand', '--subresource=status', '--type=merge', '-p', patch);
  assert.match(await waiting, /condition met/);
  assert.match(await kubectl('wait', '--for=condition=Ready', 'cb/hello-by-hand', '--timeout=60s'), /condition met/);
  await kubectl('annotate', 'cb', 'hello-by-hand', 'a=b');
  const printed = () => watching.text().trim().split('\n');
  await until(() => printed().length >= 3, 'a line for each change');
  watching.stop();
  for (const line of printed()) assert.match(line, /^hello-by-hand +/);
  const uid = await kubectl('get', 'cb', 'hello-by-hand', '-o', 'jsonpath={.metadata.uid}');
  const event = file(
    'event.yaml',
    `apiVersion: v1\nkind: Event\nmetadata: {name: e}\ntype: Normal\nreason: Moved\nmessage: It moved\ninvolvedObject: {apiVersion: core.platform/v1alpha1, kind: CoreBuild, name: hello-by-hand, namespace: core-system, uid: ${uid}}\n`,
  );
  await kubectl('apply', '-f', event);
  assert.match(await kubectl('describe', 'cb', 'hello-by-hand'), /Normal +Moved.*It moved/);
  assert.match(await kubectl('events', '--for', 'cb/hello-by-hand'), /Moved/);
});

const deployment = (containers: string) =>
  `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  selector: {matchLabels: {app: web}}\n  template:\n    metadata: {labels: {app: web}}\n    spec:\n      containers:\n${containers}`;

test('a second apply of a built-in kind merges its lists by their keys', async ({ kubectl, file }) => {
  const both = '      - {name: a, image: one}\n      - {name: b, image: two}\n';
  await kubectl('apply', '-f', file('web.yaml', deployment(both)));
  await kubectl('set', 'env', 'deploy/web', '-c', 'a', 'X=1');
  await kubectl('apply', '-f', file('web.yaml', deployment('      - {name: a, image: three}\n')));
  const containers: unknown = JSON.parse(
    await kubectl('get', 'deploy', 'web', '-o', 'jsonpath={.spec.template.spec.containers}'),
  );
  assert.is(textAt(containers, 0, 'image'), 'three');
  assert.is(textAt(containers, 0, 'env', 0, 'name'), 'X');
  assert.is(textAt(containers, 1, 'name'), '');
  await kubectl('scale', 'deploy', 'web', '--replicas=3');
  assert.is(await kubectl('get', 'deploy', 'web', '-o', 'jsonpath={.spec.replicas}'), '3');
  assert.match(await kubectl('delete', 'deploy', 'web', '--cascade=foreground'), /deleted/);
});

test('Jobs, Secrets and Services that kubectl sends as protobuf are accepted', async ({ kubectl }) => {
  await kubectl('create', 'job', 'hi', '--image=busybox', '--', 'echo', 'hi');
  assert.is(
    await kubectl('get', 'job', 'hi', '-o', 'jsonpath={.spec.template.spec.containers[0].command}'),
    '["echo","hi"]',
  );
  await kubectl('create', 'secret', 'generic', 's', '--from-literal=a=b');
  assert.is(await kubectl('get', 'secret', 's', '-o', 'jsonpath={.data.a}'), 'Yg==');
  await kubectl('create', 'service', 'clusterip', 'web', '--tcp=80:8080');
  assert.is(await kubectl('get', 'svc', 'web', '-o', 'jsonpath={.spec.ports[0].targetPort}'), '8080');
  assert.match(await kubectl('auth', 'can-i', 'create', 'pods'), /yes/);
  assert.match(await kubectl('delete', 'job', 'hi'), /deleted/);
});

test('kubectl logs prints and follows logs', async ({ kubectl }) => {
  await kubectl('run', 'p', '--image=busybox', '--annotations=core.platform/log=one\ntwo\n');
  assert.is(await kubectl('logs', 'p', '--tail=1'), 'two\n');
  assert.is(await kubectl('logs', '-f', 'p'), 'one\ntwo\n');
});

test('a deleted namespace or definition is deleted with its objects', async ({ kubectl }) => {
  await kubectl('create', 'namespace', 'brief');
  await kubectl('-n', 'brief', 'create', 'configmap', 'c');
  assert.match(await kubectl('delete', 'namespace', 'brief'), /deleted/);
  assert.match(await kubectl('delete', 'crd', 'corebuilds.core.platform'), /deleted/);
  assert.match(
    await refusal(kubectl('get', 'corebuilds')),
    /could not find the requested resource|doesn't have a resource type/,
  );
});

spec.run();
