import * as assert from 'uvu/assert';
import { type Json, textAt } from '../../../runtime/embedded/api/json.ts';
import { suite } from '../../support/suite.ts';
import { binding, bindingPath, policy, policyPath, rule } from './admissionObjects.ts';
import { type Reply, type Started, started } from './started.ts';

const written = suite('writes of admission policies');
let api: Started;
written.before(async () => {
  api = await started();
});
written.after(() => api.end());

const never = { validations: [{ expression: 'false', message: 'no' }] };
const message = ({ body }: Reply) => textAt(body, 'message');

written('policies and bindings are filled in and checked when they are written', async () => {
  const made = await api.send('POST', policyPath, { body: policy('whole', never) });
  assert.equal(made.body['spec'], {
    failurePolicy: 'Fail',
    matchConstraints: {
      matchPolicy: 'Equivalent',
      namespaceSelector: {},
      objectSelector: {},
      resourceRules: [{ ...rule(['configmaps']), scope: '*' }],
    },
    validations: [{ expression: 'false', message: 'no' }],
  });
  const compiles = (expression: string, words: string, at: number) =>
    `spec.validations[0].expression: Invalid value: ${JSON.stringify(expression)}: compilation failed: ERROR: <input>:1:${at}: ${words}\n | ${expression}\n | ${'.'.repeat(at - 1)}^`;
  const rows: readonly (readonly [Json, string])[] = [
    [{}, 'spec.validations: Required value: validations or auditAnnotations must contain at least one item'],
    [{ ...never, matchConstraints: null }, 'spec.matchConstraints: Required value'],
    [{ ...never, matchConstraints: {} }, 'spec.matchConstraints.resourceRules: Required value'],
    [
      { ...never, failurePolicy: 'Maybe' },
      'spec.failurePolicy: Unsupported value: "Maybe": supported values: "Fail", "Ignore"',
    ],
    [
      { validations: [{ expression: '' }] },
      'spec.validations[0].expression: Required value: expression is not specified',
    ],
    [
      { validations: [{ expression: "'text'" }] },
      `spec.validations[0].expression: Invalid value: "'text'": must evaluate to bool but got string`,
    ],
    [
      { validations: [{ expression: 'params.x == 1' }] },
      compiles('params.x == 1', "undeclared reference to 'params' (in container '')", 1),
    ],
    [{ validations: [{ expression: 'variables.x == 1' }] }, compiles('variables.x == 1', "undefined field 'x'", 10)],
    [
      { validations: [{ expression: "authorizer.check('get').allowed()" }] },
      "found no matching overload for 'check' applied to 'kubernetes.authorization.Authorizer.(string)'",
    ],
    [
      { validations: [{ expression: 'true', reason: 'Because' }] },
      'spec.validations[0].reason: Unsupported value: "Because": supported values: "Forbidden", "Invalid", "RequestEntityTooLarge", "Unauthorized"',
    ],
  ];
  for (const [spec, words] of rows) {
    const reply = await api.send('POST', policyPath, { body: policy('wrong', spec) });
    assert.is(reply.code, 422, words);
    assert.match(message(reply), words);
  }
  const wrong = await api.send('POST', bindingPath, {
    body: binding('wrong', { validationActions: ['Deny', 'Warn'] }),
  });
  assert.match(message(wrong), 'must not contain both Deny and Warn');
});

written.run();
