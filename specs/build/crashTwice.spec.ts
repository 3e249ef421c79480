import type { Blow } from '../crash/plan.ts';
import { suite } from '../support/suite.ts';
import { endsAlike, once, undisturbed, writesOf } from './plans.ts';
import { paths } from './paths.ts';

const spec = suite('build, dead twice');
let plans = 0;

for (const path of paths)
  spec(`a restart that dies as well: ${path.name}`, async () => {
    const end = await undisturbed(path);
    // To die after a write is to die before the next one; to die before a write as well is tried in build/crash.
    for (const at of writesOf(end)) {
      const first: Blow = { at, is: 'diesAfter' };
      const recovered = await endsAlike(once(path, first), end);
      const again = writesOf(recovered).map((second): Blow => ({ at: second, is: 'diesAfter' }));
      for (const second of again) await endsAlike({ ...once(path, first), blows: [first, second] }, end);
      plans += again.length + 1;
    }
  });

spec.after(() => void process.stdout.write(`  ${plans} plans\n`));
spec.run();
