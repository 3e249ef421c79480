import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { lacksPodman } from '../podman/ownPodman.ts';
import { noKubectl } from '../support/kubectl.ts';
import { type Line, times } from './line.ts';

interface Idle {
  /** Of one processor. */
  readonly share: number;
  readonly megabytes: number;
}

export interface ContainerFigures {
  /** Milliseconds until a pod is ready, and those of the bare REST calls. */
  readonly ready: { readonly ours: number; readonly bare: number };
  readonly push: { readonly wholeMs: number; readonly buildMs: number };
  readonly rollout: { readonly asked: number; readonly failed: number };
  readonly idle: Idle;
  readonly simulated: Idle;
}

/** What real containers cost: their start, a push, a rollout under visitors, and rest. */
export function containerFigures(): readonly Line[] {
  const lacking = lacksPodman() ?? noKubectl();
  if (lacking !== null)
    return [{ what: 'containers on podman', figure: `skipped: ${lacking}`, budget: '-', holds: true }];
  const program = fileURLToPath(new URL('containers/client.ts', import.meta.url));
  const { stdout, stderr, status } = spawnSync('unshare', ['-n', process.execPath, '--import', 'tsx', program], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`containers cannot be measured here: ${stderr}`);
  return linesOf(JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as ContainerFigures);
}

function linesOf({ ready, push, rollout, idle, simulated }: ContainerFigures): readonly Line[] {
  const ratio = ready.ours / ready.bare;
  const afterMs = push.wholeMs - push.buildMs;
  const more = idle.megabytes - simulated.megabytes;
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
  return [
    {
      what: 'a pod on podman until it is ready, against the bare REST calls',
      figure: `${times(ratio)} (${ready.ours.toFixed(0)} and ${ready.bare.toFixed(0)} ms)`,
      budget: '≤ 1.3 ×',
      holds: ratio <= 1.3,
    },
    {
      what: 'a push on podman until its first answer, beside the build',
      figure: `${seconds(afterMs)} (${seconds(push.wholeMs)} with a build of ${seconds(push.buildMs)})`,
      budget: '≤ 3 s',
      holds: afterMs <= 3_000,
    },
    {
      what: 'five copies replaced on podman under visitors: failed requests',
      figure: `${rollout.failed} of ${rollout.asked}`,
      budget: '0',
      holds: rollout.failed === 0,
    },
    {
      what: 'twenty pods on podman at rest: of a processor',
      figure: `${(idle.share * 100).toFixed(2)} % (simulated ${(simulated.share * 100).toFixed(2)} %)`,
      budget: '< 1 %',
      holds: idle.share < 0.01,
    },
    {
      what: 'the same: memory beyond that of simulated nodes',
      figure: `${more.toFixed(0)} MB (${idle.megabytes.toFixed(0)} and ${simulated.megabytes.toFixed(0)} MB)`,
      budget: '≤ 40 MB',
      holds: more <= 40,
    },
  ];
}
