import { Router } from '@koa/router';
import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { matchBySegment } from '../../http/request/matchBySegment.ts';
import { routes } from '../../rules/access/routes.ts';
import { suite } from '../support/suite.ts';

const spec = suite('route matching by segment');

const patterns = Object.keys(routes).map((route) => route.split(' ') as [string, string]);

/** The routes of the API, and some that a router may have besides. */
function routerOfAll(): Router {
  const router = new Router({ prefix: '/api{/v1}', sensitive: true });
  const add = (method: string, path: string) =>
    router.register(path.replaceAll(/\{(\w+)\}/g, ':$1'), method === 'all' ? [] : [method], () => {});
  add('all', '/apps{/*rest}');
  for (const [method, path] of patterns) add(method, path);
  add('GET', '/:which/at-the-end');
  add('GET', '/');
  return router;
}

const own = routerOfAll();
const other = routerOfAll();
matchBySegment(other);

/** What a router found, by the places of its routes. */
function found(router: Router, path: string, method: string) {
  const matched = router.match(path, method);
  const placesOf = (layers: Router['stack']) => layers.map((layer) => router.stack.indexOf(layer));
  return { path: placesOf(matched.path), both: placesOf(matched.pathAndMethod), route: matched.route };
}

const value = fc.constantFrom('a', 'v1', 'apps', 'a%2Fb', '', 'at-the-end', '..', 'constructor');
const drawnPath = fc.oneof(
  fc
    .tuple(fc.constantFrom(...patterns), fc.infiniteStream(value))
    .map(([[, path], values]) => path.replaceAll(/\{\w+\}/g, () => String(values.next().value))),
  fc.array(value, { maxLength: 4 }).map((parts) => parts.map((part) => `/${part}`).join('')),
);
const prefix = fc.constantFrom('/api', '/api/v1', '/api/v1/v1', '/API', '/api/V1', '', '/api/', '/other');
const method = fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'get');

spec('the matched routes equal those of trying each route in order', () => {
  for (const [asked, path] of patterns)
    for (const before of ['/api', '/api/v1']) {
      const whole = `${before}${path.replaceAll(/\{\w+\}/g, 'a')}`;
      assert.equal(found(other, whole, asked), found(own, whole, asked), whole);
      assert.ok(found(other, whole, asked).route, whole);
    }
  fc.assert(
    fc.property(prefix, drawnPath, fc.constantFrom('', '/'), method, (before, path, after, asked) => {
      const whole = `${before}${path}${after}`;
      assert.equal(found(other, whole, asked), found(own, whole, asked), whole);
    }),
    { numRuns: 2_000 },
  );
});

spec('a path is tested against less than a tenth of the routes', () => {
  const tried: string[] = [];
  for (const layer of other.stack)
    layer.match = (path) => {
      tried.push(String(layer.path));
      return layer.regexp.test(path);
    };
  assert.ok(other.match('/api/v1/builds/a', 'GET').route);
  const strange = tried.filter((path) => !/^\/api\{\/v1\}(\/(builds\b|:which\b|apps\{).*|\/?)$/.test(path));
  assert.equal(strange, []);
  assert.ok(tried.length > 0 && tried.length < other.stack.length / 10);
});

spec.run();
