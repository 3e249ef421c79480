import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { type Json, listAt, textAt } from '../../../runtime/embedded/api/json.ts';
import { programOf } from '../../support/program.ts';
import { suite } from '../../support/suite.ts';
import { until } from '../../support/until.ts';
import { configMap, inSystem } from './started.ts';

/** `CORE_KILL_SECONDS` and `CORE_KILL_SEED` make it go on for longer, and otherwise. */
const seconds = Number(process.env['CORE_KILL_SECONDS'] ?? 0);
const seed = Number(process.env['CORE_KILL_SEED'] ?? 1);
const leastKills = 3;

const spec = suite('kill -9 under load');
const program = programOf(new URL('apiProcess.ts', import.meta.url));
const maps = `${inSystem}/configmaps`;

interface ApiAccess {
  readonly url: string;
  readonly caPem: string;
  readonly token: string;
}

interface Server {
  readonly access: ApiAccess;
  readonly child: ChildProcess;
  readonly agent: Agent;
}

async function start(dataDir: string): Promise<Server> {
  const child = spawn(process.execPath, [...program, dataDir], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const [access] = (await once(child, 'message')) as [ApiAccess];
  return { access, child, agent: new Agent({ keepAlive: true, ca: access.caPem }) };
}

/** The answer to a request; null when the server died before it came. */
function ask({ access, agent }: Server, method: string, path: string, body?: Json): Promise<Json | null> {
  const headers = { Authorization: `Bearer ${access.token}`, 'Content-Type': 'application/json' };
  return new Promise((done) => {
    const sent = request(`${access.url}${path}`, { method, agent, headers }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.once('end', () => done({ code: response.statusCode, ...(JSON.parse(text) as Json) }));
      response.once('error', () => done(null));
    });
    sent.once('error', () => done(null));
    sent.end(body && JSON.stringify(body));
  });
}

/** What was last acknowledged of each name, and what may have happened to it since: `null` is its absence. */
interface Ledger {
  readonly names: Map<string, { known: number | null; maybe: number | null | undefined }>;
  acknowledged: number;
}

/** Creates, changes and removes a few names of its own until the server is gone. */
async function load(server: Server, lane: number, ledger: Ledger, next: () => number): Promise<void> {
  for (;;) {
    const name = `k-${lane}-${Math.floor(next() * 5)}`;
    const entry = ledger.names.get(name) ?? { known: null, maybe: undefined };
    ledger.names.set(name, entry);
    const value = entry.known !== null && next() < 0.2 ? null : Math.floor(next() * 1e9);
    entry.maybe = value;
    const object = value === null ? undefined : configMap(name, { value: String(value) });
    const [method, path] =
      entry.known === null ? ['POST', maps] : [value === null ? 'DELETE' : 'PUT', `${maps}/${name}`];
    const answer = await ask(server, method, path, object);
    if (answer === null) return;
    assert.ok(Number(answer['code']) < 300, JSON.stringify(answer));
    Object.assign(entry, { known: value, maybe: undefined });
    ledger.acknowledged += 1;
  }
}

/** A client that keeps a copy by list and watch, over the death of its server. */
function follower() {
  const copy = new Map<string, string>();
  let version = '';
  const resumed = { watched: 0, listed: 0 };
  const put = (object: unknown) => copy.set(textAt(object, 'metadata', 'name'), textAt(object, 'data', 'value'));
  async function relist(server: Server) {
    const list = await ask(server, 'GET', maps);
    if (list === null) return;
    resumed.listed += 1;
    copy.clear();
    for (const item of listAt(list, 'items')) put(item);
    version = textAt(list, 'metadata', 'resourceVersion');
  }
  /** Watches from where it was; true when that is too old. */
  function watch({ access, agent }: Server): Promise<boolean> {
    const headers = { Authorization: `Bearer ${access.token}` };
    let expired = false;
    let rest = '';
    const hear = (line: string) => {
      const { type, object } = JSON.parse(line) as { readonly type: string; readonly object: Json };
      if (type === 'ERROR') return void (expired = true);
      version = textAt(object, 'metadata', 'resourceVersion');
      if (type === 'DELETED') copy.delete(textAt(object, 'metadata', 'name'));
      else put(object);
    };
    return new Promise((done) => {
      const sent = request(
        `${access.url}${maps}?watch=true&resourceVersion=${version}`,
        { agent, headers },
        (response) => {
          response.setEncoding('utf8').on('data', (chunk: string) => {
            const lines = (rest + chunk).split('\n');
            rest = lines.pop() ?? '';
            for (const line of lines) hear(line);
          });
          response.once('error', () => {});
          response.once('close', () => done(expired));
        },
      );
      sent.once('error', () => done(expired)).end();
    });
  }
  async function follow(server: Server) {
    if (version === '') await relist(server);
    resumed.watched += 1;
    while (await watch(server)) await relist(server);
  }
  return { follow, copy, resumed };
}

/** Numbers from 0 to 1 by a seed. */
function numbers(from: number) {
  let state = from >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

spec('acknowledged writes survive each kill, refused ones do not appear, and watches continue', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'core-kill-loop-'));
  const next = numbers(seed);
  const ledger: Ledger = { names: new Map(), acknowledged: 0 };
  const { follow, copy, resumed } = follower();
  const end = Date.now() + seconds * 1_000;
  let [kills, uncertain] = [0, 0];
  for (let round = 0; round < leastKills || Date.now() < end; round += 1) {
    const server = await start(dataDir);
    const truth = new Map(
      listAt(await ask(server, 'GET', maps), 'items').map((item) => [
        textAt(item, 'metadata', 'name'),
        Number(textAt(item, 'data', 'value')),
      ]),
    );
    for (const [name, entry] of ledger.names) {
      const found = truth.get(name) ?? null;
      const isRight = found === entry.known || (entry.maybe !== undefined && found === entry.maybe);
      assert.ok(isRight, `seed ${seed}, kill ${kills}: ${name} is ${found}, was ${entry.known} or ${entry.maybe}`);
      if (entry.maybe !== undefined) uncertain += 1;
      Object.assign(entry, { known: found, maybe: undefined });
    }
    const following = follow(server);
    const before = ledger.acknowledged;
    const lanes = Array.from({ length: 8 }, (_, lane) => load(server, lane, ledger, next));
    await until(() => ledger.acknowledged > before, 'a write is acknowledged');
    await new Promise((go) => setTimeout(go, 50 + next() * 700));
    server.child.kill('SIGKILL');
    kills += 1;
    await Promise.all(lanes);
    await following;
    server.agent.destroy();
  }
  const last = await start(dataDir);
  const following = follow(last);
  const final = await ask(last, 'POST', maps, configMap('last', { value: 'one' }));
  assert.is(final?.['code'], 201);
  const names = async () => listAt(await ask(last, 'GET', maps), 'items');
  const wanted = new Map(
    (await names()).map((item) => [textAt(item, 'metadata', 'name'), textAt(item, 'data', 'value')]),
  );
  await until(() => copy.get('last') === 'one', 'the watch has come to the last write');
  assert.equal(copy, wanted, 'the copy of the watch is the truth');
  last.child.kill('SIGKILL');
  await following;
  last.agent.destroy();
  process.stdout.write(
    `seed ${seed}: ${kills} kills, ${ledger.acknowledged} acknowledged writes, ${uncertain} under way, ` +
      `${resumed.watched} watches, ${resumed.listed} lists\n`,
  );
  rmSync(dataDir, { recursive: true });
});

spec.run();
