import type { BuildSummary, Machine } from '../../../api.ts';
import { api } from '../../api.ts';
import type { Asked } from '../../parts/actionButton.tsx';
import { mayAct } from '../../store/session.ts';
import { lookAt, readsOnly } from '../instance/look.ts';

type AskedBuild = Pick<BuildSummary, 'name' | 'app' | 'state' | 'current'>;

/** Asks to rebuild act on the service's current build alone. */
const notCurrent = ({ current, app }: AskedBuild) =>
  current ? undefined : `Only the current build of ${app} can be asked, and this one is of earlier settings`;

const hasArrow = (machine: Machine | null, state: string, event: string) =>
  machine === null || machine.rows.some((row) => row.event === event && row.from.includes(state));

const lostByRebuild: Readonly<Record<string, string>> = {
  Succeeded:
    'The build starts over: its digest and its log are given up, and the build has neither until the new run ends. What the service runs now goes on running.',
  Running:
    'The run that is going on is stopped and its Job deleted, with all it has built so far; then it starts over.',
};

const lostByCancel =
  'The Job of this run is deleted, with all it has built so far and with its log. What the service runs now goes on running. Rebuild starts it again.';

/** What may be asked of a build, or why not, and what would be lost. */
export function asksOf(build: AskedBuild, machine: Machine | null): readonly Asked[] {
  const refused = mayAct() ? notCurrent(build) : readsOnly;
  const isOver = !hasArrow(machine, build.state, 'cancelAsked');
  return [
    { word: 'Rebuild', path: api.rebuild(build.app), refused, loses: lostByRebuild[build.state] },
    {
      word: 'Cancel',
      path: api.cancel(build.app),
      bad: true,
      refused: refused ?? (isOver ? 'The build has already finished, so there is nothing to cancel' : undefined),
      loses: build.state === 'Running' ? lostByCancel : undefined,
    },
  ];
}

/** Asks for a look at the build at once. */
export const lookNow = (name: string): Asked => lookAt(api.look(name));
