import { execFileSync } from 'node:child_process';
import * as assert from 'uvu/assert';
import type { FunctionSource, Runtime } from '../../../rules/function/runtimes.ts';
import { fetchBun } from '../../support/bun.ts';
import { type FunctionPod, functionPod } from '../../support/function.ts';
import { suite } from '../../support/suite.ts';
import { unless } from '../../support/unless.ts';
import { until } from '../../support/until.ts';

const spec = suite('functions run by the files of their ConfigMap');

const javascript = {
  http: `export function greet({ method, path, headers, body, trigger }) {
    if (path === '/throws') throw new Error('words of mine');
    if (path === '/plain') return 'plain';
    if (path === '/nothing') return undefined;
    if (path === '/odd') return { status: 9999 };
    if (path === '/fails') return { status: 500, body: 'as answered' };
    if (path === '/endless') for (;;);
    return { status: 201, headers: { 'x-own': 'yes' }, body: { method, path, headers, body, trigger } };
  }`,
  event: `export default async (event) => {
    if (event.fails) throw new Error('words of mine');
    return event.silent ? undefined : { got: event };
  };`,
  broken: 'export function handler( {',
};

const codes: Readonly<Record<Runtime, Readonly<Record<'http' | 'event' | 'broken' | 'program', string>>>> = {
  node: {
    ...javascript,
    program: `const { createServer } = require('node:http');
      createServer((_, response) => response.end('by itself')).listen(process.env.PORT);`,
  },
  bun: {
    ...javascript,
    program: `const text: string = 'by itself';
      Bun.serve({ port: process.env.PORT, fetch: () => new Response(text) });`,
  },
  python: {
    http: `
def greet(request):
    if request["path"] == "/throws":
        raise ValueError("words of mine")
    if request["path"] == "/plain":
        return "plain"
    if request["path"] == "/nothing":
        return None
    if request["path"] == "/odd":
        return {"status": 9999}
    if request["path"] == "/fails":
        return {"status": 500, "body": "as answered"}
    while request["path"] == "/endless":
        pass
    return {"status": 201, "headers": {"x-own": "yes"}, "body": request}
`,
    event: `
async def handler(event):
    if event.get("fails"):
        raise ValueError("words of mine")
    return None if event.get("silent") else {"got": event}
`,
    broken: 'def handler(',
    program: `
import os
from http.server import BaseHTTPRequestHandler, HTTPServer

class Answer(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"by itself")

if __name__ == "__main__":
    HTTPServer(("", int(os.environ["PORT"])), Answer).serve_forever()
`,
  },
};

const nightly = [{ name: 'nightly', cron: '0 3 * * *' }];

const isListening = (url: string) =>
  fetch(`${url}/plain`).then(
    () => true,
    () => false,
  );

/** Serves while a test asks. */
async function serving(source: FunctionSource, test: (pod: FunctionPod, said: () => string) => Promise<void>) {
  const pod = await functionPod(source);
  const running = pod.serve();
  try {
    let end: number | null | undefined;
    void running.ended.then((code) => (end = code ?? -1));
    await until(async () => {
      if (end !== undefined) throw new Error(`it ended with ${end}\n${running.said()}`);
      return isListening(pod.url);
    }, 'the function listens');
    await test(pod, running.said);
  } finally {
    running.kill('SIGKILL');
    await running.ended;
    pod.clean();
  }
}

const post = (url: string, body: string, headers: Readonly<Record<string, string>> = {}) =>
  fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });
const withToken = { 'x-core-trigger-token': 'the token' };

const missingFor: Readonly<Record<Runtime, () => string | null | Promise<string | null>>> = {
  node: () => null,
  bun: () => fetchBun(),
  python: () => runs('python3'),
};
function runs(program: string): string | null {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return null;
  } catch {
    return `${program} does not run here`;
  }
}

for (const runtime of ['node', 'bun', 'python'] as const) {
  const test = unless(spec, await missingFor[runtime]());
  const { http, event, broken, program } = codes[runtime];

  test(`${runtime}: a handler receives the request, and its response is sent`, () =>
    serving({ runtime, code: http, mode: 'http', handler: 'greet' }, async ({ url }) => {
      const answer = await post(`${url}/some?a=1`, 'words', { 'x-sent': 'yes' });
      assert.equal([answer.status, answer.headers.get('x-own')], [201, 'yes']);
      const { headers, ...told } = (await answer.json()) as { readonly headers: Record<string, string> };
      assert.equal(told, { method: 'POST', path: '/some?a=1', body: 'words', trigger: null });
      assert.is(headers['x-sent'], 'yes');
      const plain = await fetch(`${url}/plain`);
      assert.equal([plain.status, await plain.text()], [200, 'plain']);
      assert.is((await fetch(`${url}/nothing`)).status, 204);
    }));

  test(`${runtime}: an error of a handler is logged, hidden from the caller, and the runner keeps serving`, () =>
    serving({ runtime, code: http, mode: 'http', handler: 'greet' }, async ({ url }, said) => {
      for (const path of ['/throws', '/odd', '/throws']) {
        const answer = await fetch(`${url}${path}`);
        assert.equal([answer.status, await answer.text()], [500, '{"error":"the function failed"}'], path);
      }
      assert.match(said(), /words of mine/);
      assert.is((await fetch(`${url}/plain`)).status, 200);
    }));

  test(`${runtime}: an answer 500 of a handler is returned unchanged, and its schedule has failed`, () =>
    serving({ runtime, code: http, mode: 'http', handler: 'greet', schedules: nightly }, async (pod) => {
      const answer = await fetch(`${pod.url}/fails`);
      assert.equal([answer.status, await answer.text()], [500, 'as answered']);
      const called = pod.call('the token', '/fails');
      assert.is(await called.ended, 1);
      assert.match(called.said(), /nightly: 500/);
    }));

  test(`${runtime}: SEC-023 a handler of events answers only to the token`, () =>
    serving({ runtime, code: event, mode: 'event' }, async ({ url }) => {
      assert.is((await post(url, '{}')).status, 401);
      for (const wrong of ['the toke', 'the token!', 'THE TOKEN', ''])
        assert.is((await post(url, '{}', { 'x-core-trigger-token': wrong })).status, 403, wrong);
      const answer = await post(url, '{"a":[1]}', withToken);
      assert.equal([answer.status, await answer.json()], [200, { got: { a: [1] } }]);
      assert.is((await post(url, '{"silent":true}', withToken)).status, 204);
      assert.is((await post(url, '{"fails":true}', withToken)).status, 500);
      assert.is((await post(url, '{"a":', withToken)).status, 400);
      assert.is((await post(`${url}/other`, '{}', withToken)).status, 404);
      assert.is((await fetch(url, { headers: withToken })).status, 405);
    }));

  test(`${runtime}: SEC-022 a scheduled call sends the token and the name of the schedule`, () =>
    serving({ runtime, code: http, mode: 'http', handler: 'greet', schedules: nightly }, async (pod) => {
      const good = pod.call();
      assert.is(await good.ended, 0, good.said());
      assert.match(good.said(), /nightly: 201/);
      const wrong = pod.call('another');
      assert.is(await wrong.ended, 1);
      assert.match(wrong.said(), /nightly: 403/);
      const told = await post(pod.url, '', { ...withToken, 'x-core-trigger': 'nightly' });
      const { trigger, headers } = (await told.json()) as { readonly trigger: string; readonly headers: object };
      assert.is(trigger, 'nightly');
      assert.is('x-core-trigger-token' in headers, false, 'the token stays outside of the code');
    }));

  test(`${runtime}: a body of a mebibyte is read, and a longer one is refused`, () =>
    serving({ runtime, code: http, mode: 'http', handler: 'greet' }, async ({ url }) => {
      const mebibyte = 1024 * 1024;
      assert.is((await post(url, 'a'.repeat(mebibyte))).status, 201);
      assert.is((await post(url, 'a'.repeat(mebibyte + 1))).status, 413);
      assert.is((await fetch(`${url}/plain`)).status, 200);
    }));

  test(`${runtime}: code that exports nothing listens by itself`, () =>
    serving({ runtime, code: program, mode: 'http' }, async ({ url }) => {
      assert.is(await (await fetch(url)).text(), 'by itself');
    }));

  test(`${runtime}: broken code, or code without its handler, exits at once with the reason`, async () => {
    for (const [source, message] of [
      [{ runtime, code: broken, mode: 'http' }, /SyntaxError|error:/],
      [{ runtime, code: http, mode: 'http', handler: 'missing' }, /no function missing/],
      [{ runtime, code: program.replace(/listen.*|Bun\.serve.*|.*serve_forever.*/, ''), mode: 'event' }, /./],
    ] as const) {
      const pod = await functionPod(source);
      const running = pod.serve();
      assert.is((await running.ended) === 0, false);
      assert.match(running.said(), message);
      pod.clean();
    }
  });

  test(`${runtime}: an endless loop blocks its caller until the timeout of the caller`, () =>
    serving({ runtime, code: http, mode: 'http', handler: 'greet' }, async ({ url }) => {
      const asked = fetch(`${url}/endless`, { signal: AbortSignal.timeout(300) });
      assert.is(await asked.then(() => 'answered').catch((error: Error) => error.name), 'TimeoutError');
    }));

  test(`${runtime}: the runner ends on SIGTERM`, async () => {
    for (const code of [http, program]) {
      const pod = await functionPod({ runtime, code, mode: 'http', handler: code === http ? 'greet' : '' });
      const running = pod.serve();
      await until(() => isListening(pod.url), 'the function listens');
      running.kill('SIGTERM');
      await running.ended;
      pod.clean();
    }
  });
}

spec.run();
