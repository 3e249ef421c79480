import type { Cluster } from './fixtures/cluster.ts';
import type { Running } from './fixtures/process.ts';
import { machineOf } from './step.ts';

/** A client of a database, in the network of the cluster, as the connection Secret says. */
export interface Client {
  readonly ask: (statement: string) => Promise<string>;
  /** A statement that goes on until it is stopped, or the server ends it. */
  readonly keep: (statement: string) => Running;
  /** Sends a statement every half second, until it is stopped: lines `ok` and `no`. */
  readonly poll: (statement: string) => Running;
}

const pollScript = `while :; do
  timeout 3 psql -qtAX "$1" -c "$2" >/dev/null 2>&1 && echo ok || echo no
  IFS= read -r -t 0.5 _; [ $? -gt 128 ] || break
done`;

/** Names of Services are known to pods alone: the address is taken instead. */
export async function clientOf(cluster: Cluster, namespace: string, name: string): Promise<Client> {
  const machine = machineOf(cluster);
  const encoded = await cluster.kubectl(`get secret ${name}-connection -n ${namespace} -o jsonpath={.data.uri}`);
  const uri = new URL(Buffer.from(encoded, 'base64').toString('utf8'));
  uri.hostname = await cluster.kubectl(`get service ${name}-rw -n ${namespace} -o jsonpath={.spec.clusterIP}`);
  uri.searchParams.set('connect_timeout', '2');
  const psql = (statement: string) => ['psql', '-qtAX', uri.href, '-v', 'ON_ERROR_STOP=1', '-c', statement];
  return {
    ask: async (statement) => (await machine.within(psql(statement), { withinMs: 30_000 })).trim(),
    keep: (statement) => machine.follow(psql(statement)),
    poll: (statement) => machine.follow(['bash', '-c', pollScript, 'poll', uri.href, statement]),
  };
}
