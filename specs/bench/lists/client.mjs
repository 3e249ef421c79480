// Asks for one path again and again over one connection: in turn, or at so many a second.
import { Agent, get } from 'node:http';

const [url, cookie, count, perSecond] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true });

const ask = () =>
  new Promise((resolve, reject) => {
    get(url, { agent, headers: { cookie } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`answered ${response.statusCode}`));
      response.on('end', resolve).resume();
    }).on('error', reject);
  });

if (perSecond === undefined) {
  for (let left = Number(count); left > 0; left--) await ask();
} else {
  const startedAt = performance.now();
  const asked = [];
  for (let at = 0; at < Number(count); at++) {
    const waitMs = startedAt + (at * 1000) / Number(perSecond) - performance.now();
    if (waitMs > 0) await new Promise((go) => setTimeout(go, waitMs));
    asked.push(ask());
  }
  await Promise.all(asked);
}
agent.destroy();
