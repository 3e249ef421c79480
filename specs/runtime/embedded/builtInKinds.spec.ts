import * as assert from 'uvu/assert';
import { type Json, at, jsonAt, listAt, textAt } from '../../../runtime/embedded/api/json.ts';
import { suite } from '../../support/suite.ts';
import { type Started, inSystem, merge, started } from './started.ts';

const spec = suite<{ api: Started }>('built-in kinds');
spec.before(async (context) => {
  context.api = await started();
});
spec.after(({ api }) => api.end());

const strategic = 'application/strategic-merge-patch+json';
const apps = '/apis/apps/v1/namespaces/core-system';

const podSpec = (container: Json = {}, more: Json = {}): Json => ({
  containers: [{ name: 'main', image: 'nginx:1.2', ...container }],
  ...more,
});
const pod = (name: string, spec: Json): Json => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec });
const deployment = (name: string, spec: Json = {}): Json => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: podSpec() },
    ...spec,
  },
});

spec('a pod gets default policies, tags, probes, ports and volumes', async ({ api }) => {
  const probe = { httpGet: { port: 80 } };
  const container = { livenessProbe: probe, ports: [{ containerPort: 80 }], resources: { limits: { cpu: 1 } } };
  const given = podSpec(container, { volumes: [{ name: 'a' }, { name: 'b', secret: { secretName: 's' } }] });
  const { code, body } = await api.send('POST', `${inSystem}/pods`, { body: pod('filled', given) });
  assert.is(code, 201, textAt(body, 'message'));
  const found = jsonAt(body, 'spec');
  assert.equal(
    ['restartPolicy', 'dnsPolicy', 'terminationGracePeriodSeconds', 'schedulerName', 'securityContext'].map(
      (name) => found[name],
    ),
    ['Always', 'ClusterFirst', 30, 'default-scheduler', {}],
  );
  const main = jsonAt(found, 'containers', 0);
  assert.is(main['imagePullPolicy'], 'IfNotPresent');
  assert.is(main['terminationMessagePath'], '/dev/termination-log');
  assert.equal(main['ports'], [{ protocol: 'TCP', containerPort: 80 }]);
  assert.equal(main['livenessProbe'], {
    timeoutSeconds: 1,
    periodSeconds: 10,
    successThreshold: 1,
    failureThreshold: 3,
    httpGet: { path: '/', scheme: 'HTTP', port: 80 },
  });
  assert.equal(main['resources'], { limits: { cpu: '1' }, requests: { cpu: '1' } });
  const [a, b, token] = listAt(found, 'volumes');
  assert.equal(
    [a, b],
    [
      { name: 'a', emptyDir: {} },
      { name: 'b', secret: { defaultMode: 420, secretName: 's' } },
    ],
  );
  assert.match(textAt(token, 'name'), /^kube-api-access-[a-z0-9]{5}$/);
});

spec('a Deployment gets its default fields', async ({ api }) => {
  const { body } = await api.send('POST', `${apps}/deployments`, { body: deployment('filled') });
  assert.equal(
    ['replicas', 'revisionHistoryLimit', 'progressDeadlineSeconds', 'strategy'].map((name) => at(body, 'spec', name)),
    [1, 10, 600, { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } }],
  );
  assert.is(at(body, 'spec', 'template', 'spec', 'restartPolicy'), 'Always');
});

spec('a Job refuses pod labels that it sets itself', async ({ api }) => {
  const path = '/apis/batch/v1/namespaces/core-system/jobs';
  const job = (name: string, labels: Json): Json => ({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name },
    spec: { template: { metadata: { labels }, spec: podSpec({}, { restartPolicy: 'Never' }) } },
  });
  for (const key of ['job-name', 'batch.kubernetes.io/job-name']) {
    const { code, body } = await api.send('POST', path, { body: job('labelled', { [key]: 'other' }) });
    const [cause, ...others] = listAt(body, 'details', 'causes');
    assert.equal([code, others], [422, []]);
    assert.is(textAt(cause, 'field'), `spec.template.metadata.labels[${key}]`);
    assert.match(
      textAt(cause, 'message'),
      /^Invalid value: \{"batch.kubernetes.io\/controller-uid":.*\}: must be 'labelled'$/,
    );
  }
  assert.is((await api.send('POST', path, { body: job('labelled', { 'job-name': 'labelled' }) })).code, 201);
});

/** What is refused, and the words it is refused with. */
const refused: readonly (readonly [string, Json, string])[] = [
  [`${inSystem}/pods`, pod('p', {}), 'Pod "p" is invalid: spec.containers: Required value'],
  [
    `${inSystem}/pods`,
    pod('p', podSpec({}, { restartPolicy: 'Sometimes' })),
    'Pod "p" is invalid: spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"',
  ],
  [
    `${inSystem}/pods`,
    pod('p', podSpec({ ports: [{ containerPort: 70_000 }] })),
    'Pod "p" is invalid: spec.containers[0].ports[0].containerPort: Invalid value: 70000: must be between 1 and 65535, inclusive',
  ],
  [
    `${inSystem}/pods`,
    pod('p', podSpec({ resources: { requests: { memory: '2Gi' }, limits: { memory: '1Gi' } } })),
    'Pod "p" is invalid: spec.containers[0].resources.requests: Invalid value: "2Gi": must be less than or equal to memory limit of 1Gi',
  ],
  [
    `${inSystem}/pods`,
    pod('p', { containers: [podSpec(), podSpec()].map((one) => at(one, 'containers', 0)) }),
    'Pod "p" is invalid: spec.containers[1].name: Duplicate value: "main"',
  ],
  [
    `${apps}/deployments`,
    deployment('d', { selector: { matchLabels: { app: 'other' } } }),
    'Deployment.apps "d" is invalid: spec.template.metadata.labels: Invalid value: {"app":"d"}: `selector` does not match template `labels`',
  ],
  [
    `${apps}/deployments`,
    deployment('d', { replicas: 'two' }),
    'Deployment in version "v1" cannot be handled as a Deployment: json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32',
  ],
  [
    `${inSystem}/pods`,
    pod('p', podSpec({ env: [{ name: 'A', value: 1 }] })),
    'Pod in version "v1" cannot be handled as a Pod: json: cannot unmarshal number into Go struct field EnvVar.spec.containers.env.value of type string',
  ],
  [
    `${inSystem}/pods`,
    pod('p', podSpec({ resources: { limits: { cpu: 'lots' } } })),
    'Pod in version "v1" cannot be handled as a Pod: quantities must match the regular expression \'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$\'',
  ],
  [
    `${inSystem}/secrets`,
    { metadata: { name: 's' }, data: { a: 'plain' } },
    'Secret in version "v1" cannot be handled as a Secret: illegal base64 data at input byte 4',
  ],
  [
    `${inSystem}/services`,
    { metadata: { name: 's_9' }, spec: { ports: [{ port: 1 }] } },
    "Service \"s_9\" is invalid: metadata.name: Invalid value: \"s_9\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
  ],
];

spec('invalid objects are refused in the words of the API', async ({ api }) => {
  for (const [path, body, message] of refused) {
    const reply = await api.send('POST', path, { body });
    assert.is(reply.body['message'], message);
  }
});

spec('unknown fields are warned about, refused or dropped, as fieldValidation says', async ({ api }) => {
  const body = pod('unknown', podSpec({ imag: 'x' }));
  const post = (mode: string) => api.send('POST', `${inSystem}/pods?dryRun=All&fieldValidation=${mode}`, { body });
  assert.match((await post('Warn')).warning, /unknown field \\"spec\.containers\[0\]\.imag\\"/);
  assert.is(
    (await post('Strict')).body['message'],
    'Pod in version "v1" cannot be handled as a Pod: strict decoding error: unknown field "spec.containers[0].imag"',
  );
  const ignored = await post('Ignore');
  assert.equal([ignored.warning, at(ignored.body, 'spec', 'containers', 0, 'imag')], ['', undefined]);
});

spec('a duplicate field is warned about or refused, and its last value counts', async ({ api }) => {
  const body = '{"metadata":{"name":"twice"},"data":{"a":"1","b":"{\\"a\\":1}","a":"2"},"binaryData":{}}';
  const post = (mode: string) =>
    api.send('POST', `${inSystem}/configmaps?dryRun=All&fieldValidation=${mode}`, { body });
  const warned = await post('Warn');
  assert.match(warned.warning, /^299 - "duplicate field \\"data\.a\\""$/);
  assert.is(at(warned.body, 'data', 'a'), '2');
  assert.is(
    (await post('Strict')).body['message'],
    'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: duplicate field "data.a"',
  );
});

spec('immutable fields cannot be changed', async ({ api }) => {
  await api.send('POST', `${apps}/deployments`, { body: deployment('fixed') });
  const labels = { app: 'z' };
  const changed = await api.send('PATCH', `${apps}/deployments/fixed`, {
    body: { spec: { selector: { matchLabels: labels }, template: { metadata: { labels } } } },
    type: merge,
  });
  assert.is(
    changed.body['message'],
    'Deployment.apps "fixed" is invalid: spec.selector: Invalid value: {"matchLabels":{"app":"z"}}: field is immutable',
  );
  await api.send('POST', `${inSystem}/pods`, { body: pod('fixed', podSpec()) });
  const image = { spec: { containers: [{ name: 'main', image: 'nginx:2' }] } };
  assert.is((await api.send('PATCH', `${inSystem}/pods/fixed`, { body: image, type: strategic })).code, 200);
  const moved = await api.send('PATCH', `${inSystem}/pods/fixed`, { body: { spec: { hostname: 'h' } }, type: merge });
  assert.match(textAt(moved.body, 'message'), /^Pod "fixed" is invalid: spec: Forbidden: pod updates may not change/);
});

spec('a patch with an invalid result is refused in the words of its patch type', async ({ api }) => {
  await api.send('POST', `${apps}/deployments`, { body: deployment('patched') });
  const patch = (type: string) =>
    api.send('PATCH', `${apps}/deployments/patched`, { body: { spec: { replicas: 'abc' } }, type });
  assert.is(
    (await patch(strategic)).body['message'],
    ' "" is invalid: patch: Invalid value: "map[spec:map[replicas:abc]]": unrecognized type: int32',
  );
  assert.match(textAt((await patch(merge)).body, 'message'), /: json: cannot unmarshal string into Go struct field /);
});

spec('a resource refuses verbs it does not support', async ({ api }) => {
  const body = { metadata: { name: 'x' } };
  assert.is((await api.send('POST', '/api/v1/componentstatuses', { body })).code, 405);
  const { code, warning } = await api.send('GET', '/api/v1/componentstatuses');
  assert.equal([code, warning], [200, '299 - "v1 ComponentStatus is deprecated in v1.19+"']);
});

const requirement = (operator: string, ...values: readonly string[]) => ({
  matchExpressions: [{ key: 'app', operator, ...(values.length > 0 && { values }) }],
});
const at0 = 'spec.selector.matchExpressions[0]';
const whole = (selector: Json) => `spec.selector: Invalid value: ${JSON.stringify(selector)}: invalid label selector`;
const selectors: readonly (readonly [Json, string])[] = [
  [
    requirement('Like', 'x'),
    `[${at0}.operator: Invalid value: "Like": not a valid selector operator, ${whole(requirement('Like', 'x'))}]`,
  ],
  [
    requirement('In'),
    `[${at0}.values: Required value: must be specified when \`operator\` is 'In' or 'NotIn', ${whole(requirement('In'))}]`,
  ],
  [
    requirement('Exists', 'x'),
    `[${at0}.values: Forbidden: may not be specified when \`operator\` is 'Exists' or 'DoesNotExist', ${whole(requirement('Exists', 'x'))}]`,
  ],
  [{}, 'spec.selector: Invalid value: {}: empty selector is invalid for deployment'],
  [
    requirement('NotIn', 'chosen'),
    'spec.template.metadata.labels: Invalid value: {"app":"chosen"}: `selector` does not match template `labels`',
  ],
];

spec('an invalid selector, an empty one or one that misses its own pods is refused', async ({ api }) => {
  const message = async (selector: Json) => {
    const body = { ...deployment('chosen'), spec: { ...jsonAt(deployment('chosen'), 'spec'), selector } };
    return textAt((await api.send('POST', `${apps}/deployments`, { body })).body, 'message');
  };
  for (const [selector, why] of selectors)
    assert.is(await message(selector), `Deployment.apps "chosen" is invalid: ${why}`);
  const empty = { ...deployment('s'), kind: 'StatefulSet', spec: { ...jsonAt(deployment('s'), 'spec'), selector: {} } };
  assert.match(
    textAt((await api.send('POST', `${apps}/statefulsets`, { body: empty })).body, 'message'),
    /empty selector is invalid for statefulset$/,
  );
});

const strategies: readonly (readonly [Json, string])[] = [
  [
    { type: 'Recreate', rollingUpdate: { maxSurge: 1 } },
    "spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'",
  ],
  [
    { type: 'Slowly' },
    'spec.strategy: Unsupported value: {"Type":"Slowly","RollingUpdate":null}: supported values: "Recreate", "RollingUpdate"',
  ],
  [
    { rollingUpdate: { maxSurge: 0, maxUnavailable: '0%' } },
    'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: "0%": may not be 0 when `maxSurge` is 0',
  ],
  [
    { rollingUpdate: { maxUnavailable: '120%' } },
    'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: "120%": must not be greater than 100%',
  ],
  [
    { rollingUpdate: { maxSurge: -1 } },
    'spec.strategy.rollingUpdate.maxSurge: Invalid value: -1: must be greater than or equal to 0',
  ],
];

spec('a Deployment refuses an invalid strategy or deadline', async ({ api }) => {
  const message = async (more: Json) =>
    textAt((await api.send('POST', `${apps}/deployments`, { body: deployment('roll', more) })).body, 'message');
  for (const [strategy, why] of strategies)
    assert.is(await message({ strategy }), `Deployment.apps "roll" is invalid: ${why}`);
  assert.match(
    await message({ progressDeadlineSeconds: 10, minReadySeconds: 10 }),
    /spec\.progressDeadlineSeconds: Invalid value: 10: must be greater than minReadySeconds$/,
  );
  assert.is(await message({ strategy: { type: 'Recreate' } }), '');
});

const budgets: readonly (readonly [Json, string])[] = [
  [
    { minAvailable: 1, maxUnavailable: 1 },
    'spec: Invalid value: {"MinAvailable":1,"Selector":null,"MaxUnavailable":1,"UnhealthyPodEvictionPolicy":null}: minAvailable and maxUnavailable cannot be both set',
  ],
  [{ minAvailable: '101%' }, 'spec.minAvailable: Invalid value: "101%": must not be greater than 100%'],
  [{ maxUnavailable: -1 }, 'spec.maxUnavailable: Invalid value: -1: must be greater than or equal to 0'],
  [
    { maxUnavailable: 'few' },
    `spec.maxUnavailable: Invalid value: "few": a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')`,
  ],
  [
    { selector: requirement('In') },
    `${at0}.values: Required value: must be specified when \`operator\` is 'In' or 'NotIn'`,
  ],
  [
    { unhealthyPodEvictionPolicy: 'Never' },
    'spec.unhealthyPodEvictionPolicy: Unsupported value: "Never": supported values: "AlwaysAllow", "IfHealthyBudget"',
  ],
];

spec('a PodDisruptionBudget has one limit, a number or a percentage', async ({ api }) => {
  const path = '/apis/policy/v1/namespaces/core-system/poddisruptionbudgets';
  for (const [given, why] of budgets) {
    const { body } = await api.send('POST', path, { body: { metadata: { name: 'b' }, spec: given } });
    assert.is(body['message'], `PodDisruptionBudget.policy "b" is invalid: ${why}`);
  }
  const fine = { metadata: { name: 'b' }, spec: { minAvailable: '50%', selector: requirement('Exists') } };
  assert.is((await api.send('POST', path, { body: fine })).code, 201);
});

spec.run();
