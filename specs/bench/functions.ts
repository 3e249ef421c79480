import { Agent, request } from 'node:http';
import type { Runtime } from '../../rules/function/runtimes.ts';
import { type FunctionPod, functionPod } from '../support/function.ts';
import { until } from '../support/until.ts';

const rounds = 10;
const requestsARound = 400;
const atOnce = 8;
const answerWithinMs = 10_000;

const javascriptHandler = '({ path, body }) => ({ status: 200, body: { path, got: JSON.parse(body) } })';
const javascript = {
  handler: `exports.handler = ${javascriptHandler};`,
  bare: `const handler = ${javascriptHandler};
  require('node:http').createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    const answer = handler({ method: request.method, path: request.url, headers: request.headers, body });
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body));
  }).listen(process.env.PORT);`,
};

/** The same handler twice: as a function has it, and in the least server of its language that could hold it. */
const codes: Readonly<Record<Runtime, { readonly handler: string; readonly bare: string }>> = {
  node: javascript,
  bun: javascript,
  python: python(`
import http.server, json, os

class Answer(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"])).decode()
        headers = {name.lower(): value for name, value in self.headers.items()}
        answer = handle({"method": "POST", "path": self.path, "headers": headers, "body": body})
        text = json.dumps(answer["body"], separators=(",", ":")).encode()
        self.send_response_only(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

if __name__ == "__main__":
    http.server.ThreadingHTTPServer(("", int(os.environ["PORT"])), Answer).serve_forever()
`),
};

function python(server: string) {
  const handler = (name: string) => `
import json

def ${name}(request):
    return {"status": 200, "body": {"path": request["path"], "got": json.loads(request["body"])}}
`;
  return { handler: handler('handler'), bare: `${handler('handle')}${server}` };
}

const asked = JSON.stringify({
  order: 7,
  lines: Array.from({ length: 20 }, (_, index) => ({ index, name: 'a thing' })),
});

function ask(url: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(asked) };
    const sent = request(url, { agent, method: 'POST', headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`answered ${response.statusCode}`));
      response.on('end', resolve).resume();
    });
    sent.setTimeout(answerWithinMs, () => sent.destroy(new Error(`no answer within ${answerWithinMs / 1_000} s`)));
    sent.on('error', reject).end(asked);
  });
}

/** Time of one answer, over several connections that are kept. */
async function msOfOne({ url }: FunctionPod): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const startedAt = performance.now();
  let left = requestsARound;
  const client = async () => {
    while (left-- > 0) await ask(url, agent);
  };
  await Promise.all(Array.from({ length: atOnce }, client));
  const ms = (performance.now() - startedAt) / requestsARound;
  agent.destroy();
  return ms;
}

async function started(runtime: Runtime, code: string) {
  const pod = await functionPod({ runtime, code, mode: 'http' });
  const running = pod.serve('');
  const agent = new Agent();
  await until(
    () =>
      ask(pod.url, agent).then(
        () => true,
        () => false,
      ),
    `the function listens: ${running.said()}`,
  );
  const stop = async () => {
    running.kill('SIGKILL');
    await running.ended;
    pod.clean();
  };
  return { pod, stop };
}

/** How long an answer of a function takes in ms, against the same handler in a bare server. */
export interface FunctionFigures {
  readonly runtime: Runtime;
  readonly ratio: number;
  readonly oursMs: number;
}

async function figuresOf(runtime: Runtime): Promise<FunctionFigures> {
  const { handler, bare } = codes[runtime];
  const [ours, least] = [await started(runtime, handler), await started(runtime, bare)];
  const took: readonly [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    took[0].push(await msOfOne(ours.pod));
    took[1].push(await msOfOne(least.pod));
  }
  await ours.stop();
  await least.stop();
  // The quietest round of each: what else the machine does only ever adds.
  const [oursMs, bareMs] = [Math.min(...took[0]), Math.min(...took[1])];
  return { runtime, ratio: oursMs / bareMs, oursMs };
}

/** Of each runtime, one after the other. */
export async function* functionFigures(runtimes: readonly Runtime[]): AsyncGenerator<FunctionFigures> {
  for (const runtime of runtimes) yield await figuresOf(runtime);
}
