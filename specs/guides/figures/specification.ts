import { tables } from '../../../machines/tables.ts';
import { consoleSessionLimits } from '../../../rules/consoleSession/limits.ts';
import { durationMs } from '../../../rules/time.ts';
import { factsPerRound } from '../../check/samples.ts';
import type { Figure } from './compare.ts';
import { kubectl, node } from './product.ts';
import { minute, second } from './units.ts';
import { numberWritten } from './written.ts';

const { attachWaitMs } = consoleSessionLimits;
const lookOf = (id: string): string => tables.consoleSession.rows.find((row) => row.id === id)?.look ?? '';

export const specs: readonly Figure[] = [
  ['should be requeued every {} s', { because: 'it is an example' }],
  [
    'for a limit of {} s it must give {}, {} and {}',
    attachWaitMs / second,
    attachWaitMs - 1,
    attachWaitMs,
    attachWaitMs + 1,
  ],
  ['distinguish the {} cases', { because: 'they are the sides of a condition' }],
  ['has waited less than {} s | same |', attachWaitMs / second],
  ['| {}s | decision 56 |', durationMs(lookOf('CON-067a')) / second],
  ['over {} generated facts per state', factsPerRound],
  [
    'one in {}, and all of the verdict tables',
    numberWritten('specs/check/lifecycles.spec.ts', /^const oneOf = (\d+);$/m),
  ],
  ['an id twice, or {} ways out by one event', { because: 'it is what is wrong' }],
  ['{} rules swapped', { because: 'it is what is wrong' }],
];

export const contributing: readonly Figure[] = [
  node,
  ['`kubectl` {} or later', kubectl],
  ['No {} lenses read one field', { because: 'it means any two' }],
  ['at most {} characters', numberWritten('specs/house/commits.spec.ts', /subject\.length > (\d+)/)],
];

export const cluster: readonly Figure[] = [
  [
    'take at most {} minutes (`--minutes N`)',
    numberWritten('specs/cluster/main.ts', /minutes: \{ type: 'string', default: '(\d+)' \}/),
  ],
  [
    'dashboard, {} replicas',
    numberWritten(
      'specs/cluster/scenarios/install.ts',
      /deploy\/core --replicas=(\d+)'\);\n[^]*told\('\{\.spec\.replicas\}'\)/,
    ),
  ],
  [
    "{} s in which Core's accounts write nothing",
    numberWritten('specs/cluster/scenarios/idle.ts', /^const idleSeconds = (\d+);$/m),
  ],
  ['readiness after {} s', numberWritten('specs/cluster/scenarios/services.ts', /assert\.ok\(seconds > (\d+), /)],
];

const quietMs = numberWritten('specs/faults/environment/run.ts', /^const quietMs = ([\d_]+);$/m);

export const faults: readonly Figure[] = [
  [
    'outlives its fact or its moment by at most {} seconds',
    numberWritten('specs/faults/environment/run.ts', /^const outlivesMs = ([\d_]+);$/m) / second,
  ],
  ['pauses before its {} call', { because: 'it is the number of its example' }],
  [
    'at most {} times that of the run without faults, plus {}',
    numberWritten('specs/faults/verify.ts', /^const timesPasses = (\d+);$/m),
    numberWritten('specs/faults/verify.ts', /^const morePasses = (\d+);$/m),
  ],
  [
    'nothing is written for {} minutes; a path that still waits ends after {} hour',
    quietMs / minute,
    (quietMs * numberWritten('specs/faults/environment/run.ts', /^const awaitedMs = (\d+) \* quietMs;$/m)) /
      (60 * minute),
  ],
  ['`both` plants {} mistakes', { because: 'it is what the word says' }],
];
