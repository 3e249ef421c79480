import { suite } from 'uvu';
import type { Blow } from '../crash/plan.ts';
import { endsAlike, once, undisturbed, writesOf } from './plans.ts';
import { paths } from './paths.ts';

const spec = suite('build, dead twice');
let plans = 0;

for (const path of paths)
  spec(`a restart that dies as well: ${path.name}`, async () => {
    const end = await undisturbed(path);
    for (const at of writesOf(end))
      for (const is of ['dies', 'diesAfter'] as const) {
        const first: Blow = { at, is };
        const recovered = await endsAlike(once(path, first), end);
        const again = writesOf(recovered).map((second): Blow => ({ at: second, is }));
        for (const second of again) await endsAlike({ ...once(path, first), blows: [first, second] }, end);
        plans += again.length + 1;
      }
  });

spec.after(() => void process.stdout.write(`  ${plans} plans\n`));
spec.run();
