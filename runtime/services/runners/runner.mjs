// Runs the code of a function on Node or Bun: calls what it exports, or leaves it alone where it listens by itself.
import { createHash, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const { mode, handler, code } = JSON.parse(readFileSync(new URL('function.json', import.meta.url), 'utf8'));
const token = process.env.CORE_TRIGGER_TOKEN ?? '';
const tokenHeader = 'x-core-trigger-token';
const triggerHeader = 'x-core-trigger';
const bodyAtMost = 1024 * 1024;

class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

const say = (what) => process.stderr.write(`${what?.stack ?? what}\n`);
const isFunction = (value) => typeof value === 'function';
const own = (value, name) => (value && Object.hasOwn(value, name) ? value[name] : undefined);

/** What a CommonJS module exports stands in `default`. */
function handlerIn(exported) {
  if (handler) return [own(exported, handler), own(exported.default, handler)].find(isFunction);
  return [exported.handler, own(exported.default, 'handler'), exported.default].find(isFunction);
}

const digest = (text) => createHash('sha256').update(text).digest();
const isToken = (sent) => token !== '' && timingSafeEqual(digest(sent), digest(token));

function checkToken(sent) {
  if (sent === undefined && mode === 'event') throw new Refused(401, `${tokenHeader} is missing`);
  if (sent !== undefined && !isToken(sent)) throw new Refused(403, `${tokenHeader} is wrong`);
}

async function bodyOf(request) {
  const parts = [];
  let size = 0;
  for await (const part of request) {
    size += part.length;
    if (size > bodyAtMost) throw new Refused(413, `the body is longer than ${bodyAtMost} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refused(400, 'the body is no JSON');
  }
}

const json = (status, value) => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});

async function eventAnswer(call, request) {
  if (request.url.split('?')[0] !== '/') throw new Refused(404, 'events are sent to /');
  if (request.method !== 'POST') throw new Refused(405, 'events are sent by POST');
  const result = await call(parsed(await bodyOf(request)));
  return result === undefined ? { status: 204 } : json(200, result);
}

async function httpAnswer(call, request) {
  const { [tokenHeader]: sent, [triggerHeader]: trigger, ...headers } = request.headers;
  const answer = await call({
    method: request.method,
    path: request.url,
    headers,
    body: await bodyOf(request),
    trigger: sent === undefined ? null : (trigger ?? ''),
  });
  if (answer === undefined || answer === null) return { status: 204 };
  if (typeof answer === 'string') return { status: 200, body: answer };
  const { status = 200, headers: told = {}, body } = answer;
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array)
    return { status, headers: told, body };
  const { headers: usual, body: text } = json(status, body);
  return { status, headers: { ...usual, ...told }, body: text };
}

async function answered(call, request) {
  try {
    checkToken(request.headers[tokenHeader]);
    return await (mode === 'event' ? eventAnswer : httpAnswer)(call, request);
  } catch (error) {
    if (error instanceof Refused) return json(error.status, { error: error.message });
    say(error);
    return json(500, { error: 'the function failed' });
  }
}

function send(response, { status, headers = {}, body }) {
  try {
    response.writeHead(status, headers).end(body);
  } catch (error) {
    say(error);
    response.writeHead(500).end('{"error":"the function failed"}');
  }
}

function serve(call) {
  const server = createServer(async (request, response) => {
    const answer = await answered(call, request);
    // What is left of a body that was not read would be taken for the next request.
    if (!request.complete) response.setHeader('connection', 'close');
    send(response, answer);
  });
  server.listen(Number(process.env.PORT));
  process.on('SIGTERM', () => server.close(() => process.exit(0)));
}

const call = handlerIn(await import(new URL(code, import.meta.url)));
if (call) serve(call);
else if (handler || mode === 'event') {
  say(`the code exports no function ${handler || 'handler'}`);
  process.exit(1);
} else if (process.listenerCount('SIGTERM') === 0) {
  // The first process of a container is not ended by a signal that it does not listen to.
  process.on('SIGTERM', () => process.exit(0));
}
