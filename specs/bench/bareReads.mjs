// Reads the status of every service with nothing but node, as many at a time as it is told: a program without comfort.
import { Agent, get } from 'node:http';

const { CORE_URL: address, CORE_TOKEN: token } = process.env;
const atATime = Number(process.argv[2]);
const agent = new Agent({ keepAlive: true, maxSockets: atATime });

const read = (path) =>
  new Promise((resolve, reject) => {
    get(`${address}/api/v1${path}`, { agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
      const parts = [];
      response.on('data', (part) => parts.push(part));
      response.on('end', () => resolve(JSON.parse(Buffer.concat(parts).toString())));
    }).on('error', reject);
  });

const { items } = await read('/apps');
let next = 0;
const work = async () => {
  while (next < items.length) await read(`/apps/${items[next++].name}/status`);
};
await Promise.all(Array.from({ length: atATime }, work));
agent.destroy();
