import { catchUncaught } from '../uncaught.ts';
import type { FromNetwork, ToNetwork } from './protocol.ts';
import { type ServedNetwork, serveNetwork } from './serve.ts';

/** The network's own process: it does what the process that started it asks, and ends with it. */
const say = (message: FromNetwork) => process.connected && process.send?.(message);
let network: ServedNetwork | null = null;

async function take(message: ToNetwork): Promise<void> {
  switch (message.is) {
    case 'begin':
      network = serveNetwork(message.options, {
        complain: (why, closed) => say({ is: 'complaint', why, closed }),
        demand: (demand) => say({ is: 'demand', demand }),
      });
      return;
    case 'changed':
      return network?.put(message.changes);
    case 'settle':
      await network?.settled();
      say({ is: 'settled', turn: message.turn });
      return;
    case 'stop':
      await network?.stop();
      process.exit(0);
  }
}

catchUncaught((uncaught) => say({ is: 'uncaught', uncaught }));
process.on('message', (message: ToNetwork) => void take(message));
// Its addresses stay: the next process takes them over, and until then nothing else answers there.
process.on('disconnect', () => process.exit(0));
// Signals of a terminal reach the whole group: the one that started it says when to end.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
