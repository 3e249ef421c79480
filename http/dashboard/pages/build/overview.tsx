import type { BuildRead, Explanation, Machine, Transitions } from '../../../api.ts';
import { api } from '../../api.ts';
import { addressOf } from '../../routes.ts';
import type { Loaded } from '../../store/loaded.ts';
import { Standing } from '../instance/standing.tsx';
import { FactsPanel } from './factsPanel.tsx';

interface OverviewProps {
  readonly build: BuildRead;
  readonly explanation: Loaded<Explanation> & { readonly reload: () => void };
  readonly transitions: Loaded<Transitions>;
  readonly machine: Machine | null;
}

/** Why a build stands where it stands, its way through the machine, and its facts. */
export const Overview = ({ build, ...standing }: OverviewProps) => (
  <Standing
    {...standing}
    name={build.name}
    state={build.state}
    historyPath={api.transitions(build.name)}
    moveAddress={(seq) => addressOf.move(build.name, seq)}
    aside={<FactsPanel build={build} />}
  />
);
