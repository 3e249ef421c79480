import type { BuildSummary, Machine } from '../../../api.ts';
import type { Action } from '../../components/actionButton.tsx';
import { mayAct } from '../../store/session.ts';
import { readsOnly } from '../../components/checkNow.ts';
import { requestTo } from '../../api.ts';

type RequestedBuild = Pick<BuildSummary, 'name' | 'app' | 'state' | 'current'>;

/** Rebuilds are only possible for the service's current build. */
const notCurrent = ({ current }: RequestedBuild) =>
  current ? undefined : 'This build is outdated. Rebuild the current one.';

const hasArrow = (machine: Machine | null, state: string, event: string) =>
  machine === null || machine.rows.some((row) => row.event === event && row.from.includes(state));

const lostByRebuild: Readonly<Record<string, string>> = {
  Succeeded: 'The build starts over. The digest and log will be discarded. What the service runs now goes on running.',
  Running: 'The current run stops. Its Job is deleted with all it has built so far; then the build starts over.',
};

const lostByCancel =
  'The Job of this run is deleted, with everything built so far and its log. The running service is not affected. Rebuild starts a new run.';

/** The actions of a build, each with why it is refused, if it is, and what would be lost. */
export function actionsOf(build: RequestedBuild, machine: Machine | null): readonly Action[] {
  const refused = mayAct() ? notCurrent(build) : readsOnly;
  const isOver = !hasArrow(machine, build.state, 'cancelAsked');
  return [
    {
      label: 'Rebuild',
      request: requestTo('POST /apps/{app}/build', { app: build.app }),
      refused,
      warning: lostByRebuild[build.state],
    },
    {
      label: 'Cancel build',
      request: requestTo('POST /apps/{app}/build/cancel', { app: build.app }),
      bad: true,
      refused: refused ?? (isOver ? 'The build has already finished, so there is nothing to cancel' : undefined),
      warning: build.state === 'Running' ? lostByCancel : undefined,
    },
  ];
}
