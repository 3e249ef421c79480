// Visitors in the network of a cluster: load.ts URL SECONDS. It prints as JSON how many requests were asked, and when which failed.
import { Agent, get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

const [url = '', seconds = '0'] = process.argv.slice(2);
const endsAt = Date.now() + Number(seconds) * 1_000;
const withinMs = 5_000;
const betweenMs = 10;
/** Some come by a new connection each time, some keep theirs. */
const agents = [false, false, true, true].map((keepAlive) => new Agent({ keepAlive }));
/** Milliseconds of the system's clock, by why. */
const failures = new Map<string, number[]>();
let asked = 0;

const once = (agent: Agent): Promise<string> =>
  new Promise((resolve) => {
    const request = get(url, { agent, timeout: withinMs }, (response) => {
      response.on('error', ({ message }) => resolve(message));
      response.on('end', () => resolve(response.statusCode === 200 ? '' : `status ${response.statusCode}`)).resume();
    });
    request.on('timeout', () => request.destroy(new Error(`no answer within ${withinMs} ms`)));
    request.on('error', ({ message }) => resolve(message));
  });

async function visit(agent: Agent): Promise<void> {
  while (Date.now() < endsAt) {
    asked += 1;
    const failed = await once(agent);
    if (failed !== '') failures.set(failed, [...(failures.get(failed) ?? []), Date.now()]);
    await pause(betweenMs);
  }
  agent.destroy();
}

await Promise.all(agents.map(visit));
process.stdout.write(`${JSON.stringify({ asked, failures: Object.fromEntries(failures) })}\n`);
