import * as assert from 'uvu/assert';
import { type Json, textAt } from '../../../runtime/embedded/api/json.ts';
import { suite } from '../../support/suite.ts';
import { binding, bindingPath, policy, policyPath, rule } from './admissionObjects.ts';
import { type Reply, type Started, build, configMap, install, merge, started } from './started.ts';

const admission = suite('admission');
let api: Started;
admission.before(async () => {
  api = await started();
  await install(api);
  await api.send('POST', '/api/v1/namespaces', { body: { metadata: { name: 'core-system' } } });
});
admission.after(() => api.end());

const maps = '/api/v1/namespaces/default/configmaps';

/** Runs with one policy, bound, and takes both away again. */
async function under(spec: Json, bound: Json, run: () => Promise<void>): Promise<void> {
  const created = await api.send('POST', policyPath, { body: policy('rule', spec) });
  assert.is(created.code, 201, JSON.stringify(created.body));
  const tied = await api.send('POST', bindingPath, { body: binding('rule', bound) });
  assert.is(tied.code, 201, JSON.stringify(tied.body));
  try {
    await run();
  } finally {
    await api.send('DELETE', `${bindingPath}/rule`);
    await api.send('DELETE', `${policyPath}/rule`);
    const { body } = await api.send('GET', maps);
    for (const item of body['items'] as readonly Json[])
      if (textAt(item, 'metadata', 'name') !== 'kube-root-ca.crt')
        await api.send('DELETE', `${maps}/${textAt(item, 'metadata', 'name')}`);
  }
}

const create = (name: string, data: Json = {}, metadata: Json = {}) =>
  api.send('POST', maps, { body: configMap(name, data, metadata) });
const message = ({ body }: Reply) => textAt(body, 'message');
const denied = (name: string, why: string) =>
  `configmaps "${name}" is forbidden: ValidatingAdmissionPolicy 'rule' with binding 'rule' denied request: ${why}`;
const never = { validations: [{ expression: 'false', message: 'no' }] };

admission('a denied write is answered as by Kubernetes: 422 Invalid with one cause', async () => {
  await under({ validations: [{ expression: "!('bad' in object.data)" }] }, {}, async () => {
    const { code, body } = await create('one', { bad: 'x' });
    const why = "failed expression: !('bad' in object.data)";
    assert.is(code, 422);
    assert.equal(body, {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: denied('one', why),
      reason: 'Invalid',
      details: {
        name: 'one',
        kind: 'configmaps',
        causes: [{ message: `ValidatingAdmissionPolicy 'rule' with binding 'rule' denied request: ${why}` }],
      },
      code: 422,
    });
    assert.is((await create('one', { good: 'x' })).code, 201);
  });
});

admission('create, update, patches, apply, delete and dry runs are judged', async () => {
  const operations = ['CREATE', 'UPDATE', 'DELETE'];
  const spec = {
    matchConstraints: { resourceRules: [rule(['configmaps'], operations)] },
    validations: [
      { expression: "request.operation != 'CREATE' || !has(object.data.bad)", message: 'bad at birth' },
      { expression: "request.operation != 'UPDATE' || !has(object.data.bad)", message: 'bad by change' },
      { expression: "request.operation != 'DELETE' || (object == null && !has(oldObject.data.kept))", message: 'kept' },
    ],
  };
  await under(spec, {}, async () => {
    const kept = { kept: 'yes' };
    assert.is((await create('a', kept)).code, 201);
    const bad = { data: { bad: 'x' } };
    const head = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };
    const rows: readonly (readonly [string, string, Json, string | undefined, string])[] = [
      ['POST', maps, configMap('b', bad.data), undefined, 'bad at birth'],
      ['POST', `${maps}?dryRun=All`, configMap('b', bad.data), undefined, 'bad at birth'],
      ['PUT', `${maps}/a`, configMap('a', bad.data), undefined, 'bad by change'],
      ['PATCH', `${maps}/a`, bad, merge, 'bad by change'],
      ['PATCH', `${maps}/a`, bad, 'application/strategic-merge-patch+json', 'bad by change'],
      ['PATCH', `${maps}/a?dryRun=All`, bad, merge, 'bad by change'],
      ['PATCH', `${maps}/a?fieldManager=me`, { ...head, ...bad }, 'application/apply-patch+yaml', 'bad by change'],
      ['DELETE', `${maps}/a`, {}, undefined, 'kept'],
      ['DELETE', `${maps}/a?dryRun=All`, {}, undefined, 'kept'],
    ];
    for (const [method, path, body, type, why] of rows) {
      const reply = await api.send(method, path, { body, ...(type !== undefined && { type }) });
      assert.is(reply.code, 422, `${method} ${path}`);
      assert.ok(message(reply).endsWith(`denied request: ${why}`), message(reply));
    }
    const all = await api.send('DELETE', maps);
    assert.is(message(all), denied('Unknown', 'kept'));
    assert.equal((await api.send('GET', `${maps}/a`)).body['data'], kept);
    await api.send('PATCH', `${maps}/a`, { type: merge, body: { data: { kept: null, other: 'x' } } });
    assert.is((await api.send('DELETE', `${maps}/a`)).code, 200);
  });
});

admission('an object with generateName is refused under its generated name', async () => {
  await under({ validations: [{ expression: "request.name != ''", message: 'unnamed' }] }, {}, async () => {
    const reply = await api.send('POST', maps, { body: { metadata: { generateName: 'gen-' } } });
    assert.match(message(reply), /^configmaps "gen-[a-z0-9]{5}" is forbidden: .* denied request: unnamed$/);
  });
});

admission('a policy matches by operations, names, scope, selectors and exclusions', async () => {
  const labelled = { labels: { team: 'blue' } };
  const rows: readonly (readonly [Json, Json, Json, boolean])[] = [
    [{ resourceRules: [rule(['configmaps'])] }, {}, {}, true],
    [{ resourceRules: [rule(['*'])] }, {}, {}, true],
    [{ resourceRules: [rule(['secrets', 'pods/*'])] }, {}, {}, false],
    [{ resourceRules: [rule(['configmaps/status'])] }, {}, {}, false],
    [{ resourceRules: [rule(['configmaps'], ['UPDATE'])] }, {}, {}, false],
    [{ resourceRules: [rule(['configmaps'], ['*'])] }, {}, {}, true],
    [{ resourceRules: [rule(['configmaps'], ['*'], { apiGroups: ['apps'] })] }, {}, {}, false],
    [{ resourceRules: [rule(['configmaps'], ['*'], { apiVersions: ['v2'] })] }, {}, {}, false],
    [{ resourceRules: [rule(['configmaps'], ['*'], { resourceNames: ['other'] })] }, {}, {}, false],
    [{ resourceRules: [rule(['configmaps'], ['*'], { resourceNames: ['m'] })] }, {}, {}, true],
    [{ resourceRules: [rule(['*'], ['*'], { scope: 'Cluster' })] }, {}, {}, false],
    [{ resourceRules: [rule(['*'], ['*'], { scope: 'Namespaced' })] }, {}, {}, true],
    [{ resourceRules: [rule(['*'])], excludeResourceRules: [rule(['configmaps'])] }, {}, {}, false],
    [{ resourceRules: [rule(['*'])], objectSelector: { matchLabels: { team: 'blue' } } }, {}, {}, false],
    [{ resourceRules: [rule(['*'])], objectSelector: { matchLabels: { team: 'blue' } } }, {}, labelled, true],
    [{ resourceRules: [rule(['*'])], namespaceSelector: { matchLabels: { x: 'y' } } }, {}, {}, false],
    [
      {
        resourceRules: [rule(['*'])],
        namespaceSelector: {
          matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'In', values: ['default'] }],
        },
      },
      {},
      {},
      true,
    ],
    [
      {
        resourceRules: [rule(['*'])],
        objectSelector: { matchExpressions: [{ key: 'team', operator: 'DoesNotExist' }] },
      },
      {},
      labelled,
      false,
    ],
    [{ resourceRules: [rule(['*'])] }, { matchResources: { resourceRules: [rule(['secrets'])] } }, {}, false],
    [{ resourceRules: [rule(['*'])] }, { policyName: 'another' }, {}, false],
  ];
  for (const [constraints, bound, metadata, isMatched] of rows)
    await under({ matchConstraints: constraints, ...never }, bound, async () => {
      const { code } = await create('m', {}, metadata);
      assert.is(code, isMatched ? 422 : 201, JSON.stringify([constraints, bound]));
    });
});

admission('match conditions exclude writes, and a failing one counts only when none is false', async () => {
  const broken = { name: 'broken', expression: 'object.data.none.none == 1' };
  const isSmall = { name: 'small', expression: 'size(object.data) < 2' };
  await under({ ...never, matchConditions: [isSmall, broken] }, {}, async () => {
    assert.is((await create('a', { x: '1', y: '2' })).code, 201);
    const reply = await create('a2', { x: '1' });
    assert.is(
      message(reply),
      denied('a2', "expression 'object.data.none.none == 1' resulted in error: no such key: none"),
    );
  });
  await under({ ...never, failurePolicy: 'Ignore', matchConditions: [broken] }, {}, async () => {
    assert.is((await create('b', { x: '1' })).code, 201);
  });
});

admission('variables may use other variables, messages may use them, and the reason decides the code', async () => {
  const spec = {
    variables: [
      { name: 'keys', expression: 'object.data.map(key, key)' },
      { name: 'many', expression: 'size(variables.keys) > 1' },
    ],
    validations: [
      {
        expression: '!variables.many',
        messageExpression: "'too many keys: ' + string(size(variables.keys))",
        reason: 'Forbidden',
      },
      { expression: "!('z' in variables.keys)", messageExpression: "object.data.none + 'x'", message: ' plain ' },
    ],
  };
  await under(spec, {}, async () => {
    const two = await create('a', { x: '1', y: '2' });
    assert.equal([two.code, textAt(two.body, 'reason')], [403, 'Forbidden']);
    assert.is(message(two), denied('a', 'too many keys: 2'));
    assert.is(message(await create('a', { z: '1' })), denied('a', 'plain'));
    assert.is((await create('a', { y: '1' })).code, 201);
  });
});

admission('an evaluation error refuses a request unless failurePolicy is Ignore', async () => {
  const validations = [{ expression: 'variables.made == 1', message: 'unused' }];
  const variables = [{ name: 'made', expression: 'object.data.none' }];
  await under({ variables, validations }, {}, async () => {
    assert.is(
      message(await create('a', { x: '1' })),
      denied(
        'a',
        `expression 'variables.made == 1' resulted in error: composited variable "made" fails to evaluate: no such key: none`,
      ),
    );
  });
  await under({ variables, validations, failurePolicy: 'Ignore' }, {}, async () => {
    assert.is((await create('a', { x: '1' })).code, 201);
  });
});

admission('the actions Warn and Audit accept a request, Warn with a warning', async () => {
  await under(never, { validationActions: ['Warn', 'Audit'] }, async () => {
    const { code, warning } = await create('a');
    assert.is(code, 201);
    assert.is(warning, `299 - "Validation failed for ValidatingAdmissionPolicy 'rule' with binding 'rule': no"`);
  });
  await under(never, { validationActions: ['Audit'] }, async () => {
    const { code, warning } = await create('a');
    assert.equal([code, warning], [201, '']);
  });
});

admission('a binding selects parameters by name, by label, by namespace, or none', async () => {
  const spec = {
    paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
    matchConstraints: { resourceRules: [rule(['secrets'])] },
    validations: [{ expression: 'params == null || size(object.data) <= int(params.data.most)', message: 'too many' }],
  };
  const secret = (count: number) =>
    api.send('POST', '/api/v1/namespaces/default/secrets?dryRun=All', {
      body: {
        metadata: { name: 's' },
        stringData: Object.fromEntries(['a', 'b', 'c'].slice(0, count).map((k) => [k, k])),
      },
    });
  const refusal = (why: string) =>
    `secrets "s" is forbidden: ValidatingAdmissionPolicy 'rule' with binding 'rule' denied request: ${why}`;
  await under(
    spec,
    { paramRef: { name: 'limits', namespace: 'core-system', parameterNotFoundAction: 'Deny' } },
    async () => {
      assert.is(
        message(await secret(1)),
        refusal('failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction'),
      );
      await api.send('POST', '/api/v1/namespaces/core-system/configmaps', { body: configMap('limits', { most: '1' }) });
      assert.is((await secret(1)).code, 201);
      assert.is(message(await secret(2)), refusal('too many'));
    },
  );
  const labelled = { paramRef: { selector: { matchLabels: { is: 'limit' } }, parameterNotFoundAction: 'Allow' } };
  await under(spec, labelled, async () => {
    assert.is((await secret(3)).code, 201);
    await create('here', { most: '2' }, { labels: { is: 'limit' } });
    assert.is(message(await secret(3)), refusal('too many'));
  });
  await under(spec, {}, async () => assert.is((await secret(3)).code, 201));
  const unknown = { paramKind: { apiVersion: 'none.example/v1', kind: 'None' } };
  const byName = { paramRef: { name: 'x', parameterNotFoundAction: 'Allow' } };
  await under({ ...spec, ...unknown }, byName, async () => {
    assert.match(message(await secret(1)), 'failed to configure');
  });
});

admission('expressions see custom kinds, their subresources and the caller', async () => {
  const spec = {
    matchConstraints: {
      resourceRules: [
        {
          apiGroups: ['core.platform'],
          apiVersions: ['*'],
          operations: ['*'],
          resources: ['corebuilds', 'corebuilds/status'],
        },
      ],
    },
    validations: [
      {
        expression: [
          "request.kind.kind == 'CoreBuild'",
          "request.resource.resource == 'corebuilds'",
          "request.namespace == 'core-system'",
          "namespaceObject.metadata.name == 'core-system'",
          "'system:masters' in request.userInfo.groups",
        ].join(' && '),
      },
      {
        expression:
          "request.subResource != 'status' || oldObject.spec.app == object.spec.app && object.status.phase != 'Cancelled'",
        message: 'lost',
      },
    ],
  };
  const builds = '/apis/core.platform/v1alpha1/namespaces/core-system/corebuilds';
  await under(spec, {}, async () => {
    const made = await api.send('POST', builds, { body: build('b1') });
    assert.is(made.code, 201, message(made));
    const patch = (phase: string) =>
      api.send('PATCH', `${builds}/b1/status`, { type: merge, body: { status: { phase } } });
    assert.is(
      message(await patch('Cancelled')),
      "corebuilds.core.platform \"b1\" is forbidden: ValidatingAdmissionPolicy 'rule' with binding 'rule' denied request: lost",
    );
    assert.is((await patch('Running')).code, 200);
  });
});

admission('no policy applies to policies, and a deleted policy applies to nothing', async () => {
  const everything = {
    matchConstraints: {
      resourceRules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*'] }],
    },
    ...never,
  };
  await under(everything, {}, async () => assert.is((await create('a')).code, 422));
  assert.is((await create('a')).code, 201);
});

admission.run();
