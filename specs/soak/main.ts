import { parseArgs } from 'node:util';
import { reportOf } from './report.ts';
import { soak } from './soak.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '3' },
    seed: { type: 'string' },
    operators: { type: 'string', default: '2' },
    lease: { type: 'string', default: '3' },
    rate: { type: 'string', default: '8' },
    builds: { type: 'string', default: '250' },
    verbose: { type: 'boolean', default: false },
  },
});
const print = (line: string) => void process.stdout.write(`${line}\n`);
const seed = values.seed === undefined ? Math.floor(Math.random() * 1_000_000) : Number(values.seed);
const minutes = Number(values.minutes);
print(`soak: ${minutes} minutes, seed ${seed}, ${values.operators} operators, lease ${values.lease} s`);

const soaked = await soak({
  seconds: minutes * 60,
  seed,
  operators: Number(values.operators),
  leaseSeconds: Number(values.lease),
  rate: Number(values.rate),
  mostBuilds: Number(values.builds),
  services: 4,
  quietSeconds: 20,
  times: 3,
  ...(values.verbose ? { onTold: print } : {}),
});
for (const line of reportOf(soaked, seed)) print(line);
process.exitCode = soaked.violations.length === 0 ? 0 : 1;
