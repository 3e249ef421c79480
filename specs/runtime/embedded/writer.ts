import { logLine } from '../../../runtime/services/log.ts';
import { openDisk } from '../../../runtime/embedded/api/store/disk.ts';
import { createStore } from '../../../runtime/embedded/api/store/store.ts';
import { configMap } from './started.ts';

/** Writes until it is killed, and tells its parent each name that is stored. */
const [, , dir = ''] = process.argv;
const store = createStore(openDisk(dir), logLine);

async function write(lane: number) {
  for (let turn = 0; ; turn += 1) {
    const name = `x${process.pid}-${lane}-${turn}`;
    await store.create({ bucket: '/configmaps', namespace: 'a', name }, configMap(name));
    process.send?.(name);
  }
}

await Promise.all(Array.from({ length: 8 }, (_, lane) => write(lane)));
