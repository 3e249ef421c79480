import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';
import { connects, isWithin, type Network, type Pod, type Policy, selects } from './policy.ts';

const spec = suite('network policies as in Kubernetes');

const pod = (namespace: string, role: string, ip: string): Pod => ({
  namespace,
  labels: { role },
  ip,
  ports: { web: 80 },
});
const web = pod('a', 'web', '10.0.0.1');
const db = pod('a', 'db', '10.0.0.2');
const other = pod('b', 'web', '10.0.1.1');
const policyOf = (given: Policy['spec'], namespace = 'a'): Policy => ({
  metadata: { name: 'one', namespace },
  spec: given,
});
const network = (...policies: readonly Policy[]): Network => ({
  policies,
  namespaces: { a: { team: 'a' }, b: { team: 'b' } },
  blocksMatchPods: true,
});
const reaches = (from: Pod, to: Pod, given: Network, port = 80) =>
  connects({ from: { pod: from }, to: { pod: to }, port }, given);

spec('a selector requires all its labels and expressions, and an empty one matches everything', () => {
  assert.ok(selects({}, {}));
  assert.ok(
    selects({ matchLabels: { a: '1' }, matchExpressions: [{ key: 'b', operator: 'Exists' }] }, { a: '1', b: '' }),
  );
  assert.not.ok(selects({ matchLabels: { a: '1' }, matchExpressions: [{ key: 'b', operator: 'Exists' }] }, { a: '1' }));
  const b = (operator: string, ...values: readonly string[]) => ({
    matchExpressions: [{ key: 'b', operator, values }],
  });
  assert.equal(
    [selects(b('In', 'x'), {}), selects(b('NotIn', 'x'), {}), selects(b('DoesNotExist'), {})],
    [false, true, true],
  );
  assert.equal([selects(b('In', 'x'), { b: 'x' }), selects(b('NotIn', 'x'), { b: 'x' })], [true, false]);
});

spec('an address is in a block by its prefix, and never in a block of the other family', () => {
  assert.ok(isWithin('169.254.169.254', '169.254.0.0/16'));
  assert.not.ok(isWithin('169.255.0.1', '169.254.0.0/16'));
  assert.ok(isWithin('1.2.3.4', '0.0.0.0/0'));
  assert.ok(isWithin('fd00::1', '::/0'));
  assert.ok(isWithin('fe80::1', 'fe80::/10'));
  assert.not.ok(isWithin('fd00::1', 'fe80::/10'));
  assert.not.ok(isWithin('1.2.3.4', '::/0'));
});

spec('a pod without policies is open, a selected pod is closed except for rules, and policies add up', () => {
  const deny = policyOf({ podSelector: { matchLabels: { role: 'db' } }, policyTypes: ['Ingress'] });
  const webOnly = policyOf({
    podSelector: { matchLabels: { role: 'db' } },
    ingress: [{ from: [{ podSelector: { matchLabels: { role: 'web' } } }] }],
  });
  assert.ok(reaches(other, db, network()));
  assert.not.ok(reaches(web, db, network(deny)));
  assert.ok(reaches(db, web, network(deny)));
  assert.ok(reaches(web, db, network(deny, webOnly)));
  assert.not.ok(reaches(other, db, network(webOnly)), 'a pod selector alone means the namespace of the policy');
});

spec('selectors of one peer must all match, one of several peers suffices, and an empty rule matches all', () => {
  const from = (...peers: readonly object[]) => policyOf({ podSelector: {}, ingress: [{ from: peers }] });
  const team = { namespaceSelector: { matchLabels: { team: 'b' } } };
  const role = { podSelector: { matchLabels: { role: 'db' } } };
  assert.not.ok(reaches(other, db, network(from({ ...team, ...role }))));
  assert.ok(reaches(other, db, network(from(team, role))));
  assert.ok(reaches(other, db, network(policyOf({ podSelector: {}, ingress: [{}] }))));
  assert.not.ok(reaches(other, db, network(policyOf({ podSelector: {}, ingress: [] }))));
});

spec('ports are numbers, names or ranges of one protocol', () => {
  const ports = (...list: readonly object[]) => network(policyOf({ podSelector: {}, ingress: [{ ports: list }] }));
  assert.ok(reaches(other, db, ports({ port: 'web' })));
  assert.not.ok(reaches(other, db, ports({ port: 'web' }), 81));
  assert.ok(reaches(other, db, ports({ port: 80, endPort: 90 }), 85));
  assert.not.ok(reaches(other, db, ports({ port: 80, protocol: 'UDP' })));
});

spec('a block excludes its exceptions and matches pods only in networks where blocks match pods', () => {
  const egress = [{ to: [{ ipBlock: { cidr: '0.0.0.0/0', except: ['10.0.1.0/24'] } }] }];
  const given = network(policyOf({ podSelector: {}, policyTypes: ['Egress'], egress }));
  const outside = (ip: string) => connects({ from: { pod: web }, to: { ip }, port: 443 }, given);
  assert.equal([outside('1.1.1.1'), outside('10.0.1.9')], [true, false]);
  assert.equal([reaches(web, db, given), reaches(web, other, given)], [true, false]);
  assert.not.ok(reaches(web, db, { ...given, blocksMatchPods: false }));
});

spec.run();
