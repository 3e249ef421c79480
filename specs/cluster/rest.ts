import type { Cluster } from './fixtures/cluster.ts';
import { machineOf } from './step.ts';

/** Asks Core's REST API as admin, through its Service; fails where it refuses. */
export async function adminOf(cluster: Cluster): Promise<(call: string, body?: object) => Promise<string>> {
  const machine = machineOf(cluster);
  const address = await cluster.kubectl('get service core-core-dashboard -n core-system -o jsonpath={.spec.clusterIP}');
  const origin = `http://${address}:8085`;
  const curl = (call: string, body: object, more: readonly string[]) => {
    const [method = '', path = ''] = call.split(' ');
    const sent = ['-H', 'Content-Type: application/json', '-H', `Origin: ${origin}`, '-d', JSON.stringify(body)];
    const command = ['curl', '-sS', '--fail-with-body', '-X', method, ...sent, ...more, `${origin}${path}`];
    return machine.within(command).catch(({ message }: Error) => {
      // The command has the password or the cookie.
      throw new Error(`${call}: ${message.split(`${origin}${path}: `).at(-1)}`);
    });
  };
  const signedIn = await curl('POST /api/login', { username: 'admin', password: await passwordOf(cluster) }, ['-i']);
  // The cookie is for HTTPS, which curl would not send it without.
  const cookie = /^set-cookie: ([^;]+)/im.exec(signedIn)?.[1] ?? '';
  return (call, body = {}) => curl(call, body, ['-H', `Cookie: ${cookie}`]);
}

/** The first start says it, on the log of its pod, which a restart takes away. */
let password: string | null = null;

export async function passwordOf({ kubectl }: Cluster): Promise<string> {
  if (password !== null) return password;
  const said = /^admin password (\S+)$/m.exec(await kubectl('logs -n core-system deploy/core'))?.[1];
  if (said === undefined) throw new Error('the log has no password of admin');
  return (password = said);
}
