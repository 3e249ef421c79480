import { rmSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { byteRange } from '../../http/pages/byteRange.ts';
import { suite } from '../support/suite.ts';
import { serve, type Served } from './served.ts';

const pages = suite('pages');
let served: Served;
pages.before(async () => {
  served = await serve();
});
pages.after(() => served.stop());

const page = '<!doctype html><title>Core</title>';

pages('API-015 every page address serves the one page, which is revalidated each time', async () => {
  for (const path of ['/', '/machines/build', '/builds/shop-build-1?view=log', '/apps/', '/index.html']) {
    const { status, text, headers } = await served.askPlain(path);
    assert.is(status, 200, path);
    assert.is(text, page, path);
    assert.is(headers['cache-control'], 'no-cache');
    assert.match(headers['content-type'] ?? '', 'text/html');
  }
  const { headers } = await served.askPlain('/');
  const again = await served.askPlain('/machines', { headers: { 'if-none-match': headers.etag ?? '' } });
  assert.is(again.status, 304);
});

pages('API-015 a file is cached permanently when its name contains its content hash', async () => {
  const script = await served.askPlain('/assets/dashboard.js');
  assert.is(script.text, 'export {};');
  assert.is(script.headers['cache-control'], 'no-cache');
  assert.match(script.headers['content-type'] ?? '', 'javascript');
  const font = await served.askPlain('/assets/font-0a1b2c3d.woff2');
  assert.match(font.headers['cache-control'] ?? '', 'immutable');
  assert.is((await served.askPlain('/', { method: 'HEAD' })).text, '');
});

pages('API-015 a byte range of a file is served, an invalid range gets the whole file', async () => {
  const part = (range: string) => served.askPlain('/assets/dashboard.js', { headers: { range } });
  const { status, text, headers } = await part('bytes=0-5');
  assert.equal(
    [status, text, headers['content-range'], headers['content-length']],
    [206, 'export', 'bytes 0-5/10', '6'],
  );
  assert.is((await part('bytes=7-')).text, '{};');
  assert.is((await part('bytes=-3')).text, '{};');
  const outside = await part('bytes=10-');
  assert.equal([outside.status, outside.headers['content-range']], [416, 'bytes */10']);
  for (const odd of ['bytes=5-2', 'bytes=-', 'bytes=0-1,3-4', 'lines=1-2', 'bytes=a-b'])
    assert.equal([(await part(odd)).status, (await part(odd)).text], [200, 'export {};'], odd);
  assert.is(byteRange('bytes=-0', 10), 'outside');
  assert.equal(byteRange('bytes=-99', 10), { start: 0, end: 9 });
  assert.equal(byteRange('bytes=9-99', 10), { start: 9, end: 9 });
});

pages('API-015 HEAD answers with the headers of GET, every response with the security headers', async () => {
  for (const path of ['/', '/assets/dashboard.js', '/assets/font-0a1b2c3d.woff2']) {
    const [head, get] = [await served.askPlain(path, { method: 'HEAD' }), await served.askPlain(path)];
    assert.is(head.text, '');
    for (const name of ['etag', 'last-modified', 'content-length', 'content-type', 'cache-control'] as const)
      assert.is(head.headers[name], get.headers[name], name);
    assert.is(Number(get.headers['content-length']), get.text.length);
    assert.match(String(get.headers['content-security-policy']), "default-src 'self'");
    assert.is(get.headers['x-content-type-options'], 'nosniff');
  }
});

pages('API-015 files that are removed after the start are served as before', async () => {
  const other = await serve();
  rmSync(join(other.dashboardDir, 'index.html'));
  rmSync(join(other.dashboardDir, 'assets'), { recursive: true });
  assert.is((await other.askPlain('/')).text, page);
  assert.is((await other.askPlain('/assets/dashboard.js')).text, 'export {};');
  await other.stop();
});

pages('a path answers 404 when no file of the folder has it', async () => {
  for (const path of [
    '/assets/none.js',
    '/assets/none',
    '/favicon.ico',
    '/../package.json',
    '/..%2f..%2fetc%2fpasswd',
    '/assets/%2e%2e/%2e%2e/x.json',
    '/.env',
    '/%E0%A4%A',
    '/webhooks',
    '/core-probe/x',
    '/api',
    '/api/',
  ]) {
    const { status, text } = await served.askPlain(path);
    assert.ok(status === 404 || status === 401 || status === 400 || text === page, `${path}: ${status}`);
    assert.not.match(text, 'root:');
  }
  assert.is((await served.askPlain('/assets/none')).status, 404);
  assert.is((await served.askPlain('/favicon.ico')).status, 404);
});

/** What programs ask of servers that they do not know. */
const ofPrograms = [
  '/.well-known/oauth-authorization-server',
  '/.well-known/oauth-protected-resource/mcp',
  '/.well-known/openid-configuration',
  '/.well-known/security.txt',
  '/.git/HEAD',
  '/services/.git/config',
  '/%2ewell-known/x',
  '/metrics',
  '/Metrics/',
  '/healthz',
  '/readyz',
  '/livez',
  '/health',
  '/mcp',
  '/sse',
  '/v1/apps',
  '/v2/',
  '/graphql',
  '/openapi.json',
  '/openapi.yaml',
  '/robots.txt',
  '/sitemap.xml',
  '/wp-login.php',
  '/shop/web.git/info/refs?service=git-upload-pack',
  '/actuator/health',
  '/register',
  '/token',
  '//metrics',
];

pages('API-015 an unknown path answers a program 404 as JSON, whatever the method', async () => {
  for (const path of ofPrograms)
    for (const method of ['GET', 'HEAD', 'POST', 'PUT']) {
      const { status, text, headers } = await served.askPlain(path, { method, headers: { accept: '*/*' } });
      assert.is(status, 404, `${method} ${path}`);
      assert.match(headers['content-type'] ?? '', 'application/json');
      if (method !== 'HEAD') assert.is(text, '{"error":"not found"}');
    }
});

pages('an unknown path answers a browser the page with 404', async () => {
  const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
  const open = (path: string, method = 'GET') => served.askPlain(path, { method, headers: { accept } });
  const { status, text, headers } = await open('/nowhere');
  assert.equal([status, text, headers['vary']], [404, page, 'Accept']);
  assert.is(headers['etag'], undefined, 'a cached page would be answered with 200');
  assert.is((await open('/nowhere', 'POST')).text, '{"error":"not found"}');
  for (const path of [
    '/.well-known/change-password',
    '/metrics',
    '/v2/',
    '/favicon.ico',
    '/assets/none',
    '/robots.txt',
  ])
    assert.is((await open(path)).text, '{"error":"not found"}', path);
});

pages('an address of a page accepts only GET and may have a dot in a name', async () => {
  const { status, headers } = await served.askPlain('/services', { method: 'POST' });
  assert.equal([status, headers.allow], [405, 'GET, HEAD']);
  assert.is((await served.askPlain('/machines/node/corenodes:ip-10-0-0-1.internal')).text, page);
});

pages('the pages explain how to get a dashboard when none is bundled', async () => {
  const other = await serve({ dashboardDir: '/nowhere/at/all' });
  const { status, text } = await other.askPlain('/');
  assert.is(status, 404);
  assert.match(text, 'npm run build');
  assert.is((await other.ask('/api/v1/apps')).status, 200);
  await other.stop();
});
pages.run();
