import type { BuildRead, Explanation, Machine } from '../../../api.ts';
import { Actions } from '../../parts/actionButton.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { Bones } from '../../parts/note.tsx';
import { StateChip } from '../../parts/stateChip.tsx';
import { Since } from '../../parts/times.tsx';
import { addressOf } from '../../routes.ts';
import { asksOf, lookNow } from './asks.ts';
import { buildMachine } from './buildMachine.ts';

interface BuildHeadProps {
  readonly name: string;
  readonly build: BuildRead | null;
  readonly explanation: Explanation | null;
  readonly machine: Machine | null;
  readonly isGone: boolean;
  readonly onDone: () => void;
}

/** Which build, where it stands and since when, and what may be asked of it. */
export const BuildHead = ({ name, build, explanation, machine, isGone, onDone }: BuildHeadProps) => (
  <div class="page-head">
    <div>
      <p class="crumb">
        <a href={addressOf.machine(buildMachine)}>Builds</a>
        {build && (
          <>
            {' / '}
            <a href={addressOf.app(build.app)}>{build.app}</a>
          </>
        )}
        {' /'}
      </p>
      <div class="row">
        <h1>{name}</h1>
        <CopyButton text={name} what="the name of the build" />
      </div>
      <div class="row" style={{ marginTop: '8px', minHeight: '28px' }}>
        {!build && !isGone && <Bones height={28} width="240px" />}
        {isGone && <span class="muted">This build is not there: it was deleted, or never was.</span>}
        {build && (
          <>
            <span role="status">
              <StateChip state={build.state} shown={build.shown} large />
            </span>
            {explanation && (
              <span class="muted">
                for <Since at={explanation.since} />
              </span>
            )}
            {build.paused && <span class="flag">paused</span>}
            {!build.current && <span class="flag">not the current build</span>}
            {build.cancelRequested && build.state !== 'Cancelled' && <span class="flag">cancel asked for</span>}
          </>
        )}
      </div>
    </div>
    {build && <Actions label="Ask for" actions={[lookNow(name), ...asksOf(build, machine)]} onDone={onDone} />}
  </div>
);
