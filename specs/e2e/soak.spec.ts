import * as assert from 'uvu/assert';
import { reportOf } from '../soak/report.ts';
import { soak } from '../soak/soak.ts';
import { isWhole } from '../support/share.ts';
import { suite } from '../support/suite.ts';
import { unless } from '../support/unless.ts';

const spec = suite('real processes under faults');
const whole = unless(spec, isWhole ? null : 'a soak is part of `npm run whole`');
const seed = Number(process.env['CORE_SOAK_SEED'] ?? 7);

whole('a short soak with kills, pauses and network faults loses nothing and ends without writes', async () => {
  const soaked = await soak({
    seconds: 10,
    seed,
    operators: 2,
    leaseSeconds: 3,
    rate: 6,
    mostBuilds: 40,
    services: 2,
    quietSeconds: 3,
    times: 0,
  });
  if (process.env['CORE_SOAK_SEED'] !== undefined) process.stdout.write(`\n${reportOf(soaked, seed).join('\n')}\n`);
  assert.equal(soaked.violations, [], `\n${reportOf(soaked, seed).join('\n')}`);
});

spec.run();
