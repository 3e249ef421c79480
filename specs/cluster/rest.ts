import { join } from 'node:path';
import type { Cluster } from './ground/cluster.ts';
import { machineOf } from './step.ts';

/** Asks Core's REST API as admin, through its Service; fails where it refuses. */
export async function adminOf(cluster: Cluster): Promise<(call: string, body?: object) => Promise<string>> {
  const machine = machineOf(cluster);
  const address = await cluster.kubectl('get service core-core-dashboard -n core-system -o jsonpath={.spec.clusterIP}');
  const cookies = join(machine.dir, 'cookies');
  const curl = (call: string, body: object) => {
    const [method = '', path = ''] = call.split(' ');
    const flags = ['curl', '-sS', '--fail-with-body', '-b', cookies, '-c', cookies, '-X', method];
    const sent = ['-H', 'Content-Type: application/json', '-d', JSON.stringify(body)];
    return machine.within([...flags, ...sent, `http://${address}:8085${path}`]);
  };
  await curl('POST /api/login', { username: 'admin', password: await passwordOf(cluster) });
  return (call, body = {}) => curl(call, body);
}

/** The first start says it, on the log of its pod, which a restart takes away. */
let password: string | null = null;

export async function passwordOf({ kubectl }: Cluster): Promise<string> {
  if (password !== null) return password;
  const said = /^admin password (\S+)$/m.exec(await kubectl('logs -n core-system deploy/core'))?.[1];
  if (said === undefined) throw new Error('the log has no password of admin');
  return (password = said);
}
