import type { Running } from '../fixtures/process.ts';
import { isNone, seconds } from '../core.ts';
import type { Steps } from '../step.ts';
import { installed } from './install.ts';

const followed = 'its Deployment is followed';
const columns = 'AVAILABLE:.status.availableReplicas';

let [availability, from]: [Running | null, number] = [null, 0];

/** Follows what the Services of Core have behind them. */
export const follows: Steps = (cluster) => [
  {
    scenario: 'install',
    title: followed,
    after: [installed],
    run: async () => {
      availability = cluster.follow(`get deploy core -n core-system --no-headers -w -o custom-columns=${columns}`);
      from = Date.now();
      return 'one copy is available';
    },
  },
];

/** At the end of all scenarios, restarts of Core included. */
export const stayed: Steps = () => [
  {
    scenario: 'install',
    title: 'Core was available all the time',
    after: [followed],
    run: async () => {
      const lines = availability?.lines ?? [];
      isNone(
        lines.filter(({ text }) => !/^[1-9]/.test(text.trim())).map(({ at, text }) => `${seconds(at - from)}: ${text}`),
        'moments without an available copy',
      );
      return `${lines.length} states in ${seconds(Date.now() - from)}`;
    },
  },
];
