import * as assert from 'uvu/assert';
import { databaseQueries, projectQueries, type Queries, serviceQueries } from '../../rules/usage/queries.ts';
import { rangeOf, windowNames } from '../../rules/usage/window.ts';
import { suite } from '../support/suite.ts';

const spec = suite('queries to the metrics store');

const matcherOf = (query = '', label = 'pod'): RegExp => {
  const [, quoted = ''] = new RegExp(`${label}=~("(?:[^"\\\\]|\\\\.)*")`).exec(query) ?? [];
  return new RegExp(`^(?:${JSON.parse(quoted) as string})$`);
};
const podsOf = ({ cpu }: Queries) => matcherOf(cpu);
const namespace = 'shop-production';

spec('the pods of a service are not those of another service with the same prefix', () => {
  const pods = podsOf(serviceQueries({ name: 'web', namespace }, 30));
  for (const pod of ['web-7f9c8d6b5-x2x4z', 'web-c95fc7575-jx9lr']) assert.match(pod, pods);
  for (const pod of ['web-api-7f9c8d6b5-x2x4z', 'web', 'web-0', 'my-web-7f9c8d6b5-x2x4z', 'web-nightly-29381-x2x4z'])
    assert.not.match(pod, pods);
});

spec('the pods and volumes of a database are found by its engine', () => {
  const of = (engine: 'Postgres' | 'MySQL' | 'Redis' | 'SQLite') =>
    databaseQueries({ name: 'orders', namespace, engine }, 30);
  const found = {
    Postgres: ['orders-1', 'orders-1'],
    MySQL: ['orders-mysql-0', 'data-orders-mysql-0'],
    Redis: ['orders-redis-master-0', 'redis-data-orders-redis-master-0'],
    SQLite: ['orders-7f9c8d6b5-x2x4z', 'orders-sqlite'],
  } as const;
  for (const engine of ['Postgres', 'MySQL', 'Redis', 'SQLite'] as const) {
    const [pod, claim] = found[engine];
    assert.match(pod, podsOf(of(engine)));
    assert.match(claim, matcherOf(of(engine).storage, 'persistentvolumeclaim'));
    assert.not.match(pod.replace('orders', 'orders-eu'), podsOf(of(engine)), engine);
  }
});

spec('CLI-240 CLI-241 CLI-242 usage has requests for services, storage for databases, and neither for projects', () => {
  const base = ['cpu', 'memory', 'network', 'networkIn'];
  assert.equal(Object.keys(serviceQueries({ name: 'web', namespace }, 30)), [...base, 'requests']);
  assert.equal(Object.keys(databaseQueries({ name: 'a', namespace, engine: 'SQLite' }, 30)), [...base, 'storage']);
  const queries = projectQueries([namespace, 'shop-staging'], 30);
  assert.equal(Object.keys(queries), base);
  assert.match('shop-staging', matcherOf(queries.cpu, 'namespace'));
  assert.not.match('shop-staging-eu', matcherOf(queries.cpu, 'namespace'));
});

spec('a window is read in whole steps, in at most 120 of them', () => {
  for (const window of windowNames) {
    const { start, end, step } = rangeOf(window, 1_795_405_463_776);
    assert.ok((end - start) / step <= 120, window);
    assert.is(end % step, 0);
    assert.ok(1_795_405_463 - end < step);
  }
});

spec.run();
