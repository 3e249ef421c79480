import * as assert from 'uvu/assert';
import type { StoredCause } from '../../../crds/cause.ts';
import { visibleCause } from '../../../rules/cause/visible.ts';
import { redact } from '../../../rules/redaction/redact.ts';
import { hidden, sentence } from '../../../rules/words.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('causes by view');

const views = ['viewer', 'observer', 'whole'] as const;
const on = { kind: 'Secret', name: 'orders-token', namespace: 'shop-production' };
const { text, params } = sentence('Secret "{name}" is missing', { name: hidden('orders-token') });
const cause: StoredCause = {
  of: 'Ready',
  reason: 'SecretMissing',
  severity: 'failure',
  message: text,
  params,
  on,
  root: { ...on, reason: 'SecretMissing' },
  since: '2026-01-01T00:00:00Z',
  count: 7,
  exitCode: 3,
  logLine: 'no token',
  gaveUp: true,
};
const shown = (owner: string, fields: Partial<StoredCause>, what: (of: Omit<StoredCause, 'params'>) => unknown) =>
  views.map((view) => what(visibleCause(owner, { ...cause, ...fields }, view)));

spec('AUT-033 names of Secrets, nodes, clusters, connections and unknown kinds are read by admins alone', () => {
  for (const kind of ['Secret', 'ConfigMap', 'Node', 'CoreNode', 'CoreCluster', 'CoreGitHostConnection', 'Thing']) {
    const named = { ...on, kind };
    assert.equal(
      shown('CoreApp', { on: named, root: { ...named, reason: 'x' } }, (one) => [one.on.name, one.root?.name]),
      [
        ['…', '…'],
        ['…', '…'],
        ['orders-token', 'orders-token'],
      ],
      kind,
    );
  }
  assert.equal(
    shown('CoreApp', {}, ({ message }) => message),
    ['Secret "…" is missing', 'Secret "…" is missing', 'Secret "orders-token" is missing'],
  );
});

spec('all read the names of Deployments, namespaces and projects, and reason, exit code and count', () => {
  for (const kind of ['Deployment', 'Namespace', 'CoreProject', 'CoreBuild', 'CoreApp'])
    assert.equal(
      shown('CoreApp', { on: { ...on, kind } }, (one) => one.on.name),
      ['orders-token', 'orders-token', 'orders-token'],
    );
  const numbers = shown('CoreApp', {}, ({ reason, severity, exitCode, count, gaveUp }) =>
    [reason, severity, exitCode, count, gaveUp].join(' '),
  );
  assert.equal([...new Set(numbers)], ['SecretMissing failure 3 7 true']);
});

spec('AUT-034 a viewer does not learn from a service what it is connected to', () => {
  const database = { kind: 'CoreDatabase', name: 'orders', namespace: 'core-system' };
  const root = { kind: 'StatefulSet', name: 'orders', namespace: 'shop-production', reason: 'CrashLoop' };
  const names = (owner: string) => shown(owner, { on: database, root }, (one) => `${one.on.name} ${one.root?.name}`);
  assert.equal(names('CoreApp'), ['… …', 'orders orders', 'orders orders']);
  assert.equal(names('CoreLogicalDatabase')[0], 'orders orders');
});

spec('AUT-031 a log line is read by those who may read logs', () => {
  assert.equal(
    shown('CoreApp', {}, ({ logLine }) => logLine),
    [undefined, 'no token', 'no token'],
  );
});

spec('AUT-031 AUT-033 the stored status hides the same', () => {
  const object = { metadata: { name: 'web' }, status: { causes: [{ ...cause, later: 'orders-token' }] } };
  for (const kind of [
    'CoreApp',
    'CoreBuild',
    'CoreDatabase',
    'CoreLogicalDatabase',
    'CoreObjectStore',
    'CoreProject',
  ]) {
    const viewer = JSON.stringify(redact(kind, object, 'viewer').status);
    assert.not.match(viewer, /orders-token|no token|params/, kind);
    assert.match(viewer, /SecretMissing/, kind);
    assert.match(JSON.stringify(redact(kind, object, 'observer').status), /no token/, kind);
    assert.match(JSON.stringify(redact(kind, object, 'whole').status), /orders-token/, kind);
  }
});

spec('AUT-034 the stored status of a service hides from viewers what it is connected to', () => {
  const database = { kind: 'CoreDatabase', name: 'orders', namespace: 'core-system' };
  const object = { metadata: { name: 'web' }, status: { causes: [{ ...cause, on: database, root: undefined }] } };
  assert.not.match(JSON.stringify(redact('CoreApp', object, 'viewer').status), '"orders"');
  assert.match(JSON.stringify(redact('CoreApp', object, 'observer').status), '"orders"');
});

spec.run();
