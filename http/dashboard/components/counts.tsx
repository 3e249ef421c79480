import type { EnvironmentCounts } from '../model/project.ts';
import { grouped, plural } from '../model/plural.ts';
import type { Sign as SignName, Tone } from '../model/state.ts';
import { Icon } from './icon.tsx';

const figures = [
  ['failed', 'bad', 'cross', 'failed'],
  ['moving', 'waiting', 'hourglass', 'pending'],
  ['waiting', 'waiting', 'pencil', 'with changes to deploy'],
] as const satisfies readonly (readonly [keyof EnvironmentCounts, Tone, SignName, string])[];

interface CountsProps {
  readonly counts: EnvironmentCounts;
  /** Leaves out what is moving where something failed. */
  readonly worst?: boolean;
}

/** What needs attention in an environment, as small figures; nothing while all is well. */
export const Counts = ({ counts, worst = false }: CountsProps) => (
  <>
    {figures
      .filter(([name]) => counts[name] > 0 && !(worst && name === 'moving' && counts.failed > 0))
      .map(([name, tone, sign, word]) => (
        <span key={name} class="figure" data-tone={tone} title={`${plural(counts[name], 'resource')} ${word}`}>
          <Icon name={sign} size={12} />
          <span aria-hidden="true">{grouped(counts[name])}</span>
          <span class="unseen">
            {plural(counts[name], 'resource')} {word}
          </span>
        </span>
      ))}
  </>
);
