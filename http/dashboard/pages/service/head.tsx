import type { Explanation, Read } from '../../../api.ts';
import { api } from '../../api.ts';
import { Actions, type Asked } from '../../parts/actionButton.tsx';
import { readsOnly } from '../../parts/ask.ts';
import { Skeleton } from '../../parts/note.tsx';
import { StateChip } from '../../parts/stateChip.tsx';
import { Since } from '../../parts/times.tsx';
import { Banner } from '../../parts/banner/banner.tsx';
import { mayAct } from '../../store/session.ts';
import { attemptCountOf } from '../../words/attemptCount.ts';
import { plural } from '../../words/plural.ts';
import { waits } from '../../words/project.ts';
import { helpOf, mainMachine, standingOf } from '../../words/service.ts';
import { stateWord } from '../../words/state.ts';
import type { ServiceReading } from './reading.ts';

/** Name, state and actions of a service, and why it is in its state. */
export function ServiceHead({ reading }: { readonly reading: ServiceReading }) {
  const { name, app, explained, reload } = reading;
  const read = isGone(app.failed) ? null : app.value;
  const explanations = explained.value?.items ?? [];
  return (
    <>
      <div class="page-head">
        <div>
          <div class="row">
            <h1>{read?.resource.displayName ?? name}</h1>
            {read && (
              <State read={read} explanations={explanations} isAsleep={reading.status.value?.sleeping === true} />
            )}
          </div>
        </div>
        {read && mayAct() && <Actions label="Actions" actions={actionsOf(read)} onDone={reload} />}
      </div>
      {read ? (
        <StandingBanner read={read} reading={reading} explanations={explanations} />
      ) : (
        <Unread failed={app.failed} />
      )}
    </>
  );
}

const Unread = ({ failed }: Pick<ServiceReading['app'], 'failed'>) => failed === null && <Skeleton height={96} />;

/** Whether the server says that an object is not there. */
export const isGone = (failed: ServiceReading['app']['failed']): boolean =>
  failed?.is === 'refused' && failed.status === 404;

/** While changes wait, their bar deploys them; a service that has not given up has nothing to retry. */
const actionsOf = ({ resource }: Read): readonly Asked[] => [
  ...(resource.state === 'failed' ? [{ word: 'Retry', path: api.ofApp(resource.name, 'retry') }] : []),
  ...(waits(resource) || resource.state === 'deleting'
    ? []
    : [{ word: 'Redeploy', path: api.ofApp(resource.name, 'deploy') }]),
];

interface StateProps {
  readonly read: Read;
  readonly explanations: readonly Explanation[];
}

function State({ read, explanations, isAsleep }: StateProps & { readonly isAsleep: boolean }) {
  const { since } = standingOf(read, null, explanations);
  return (
    <>
      <span role="status">
        <StateChip
          state={read.resource.state}
          shown={stateWord(read.resource.state)}
          also={isAsleep ? ['asleep'] : []}
          large
        />
      </span>
      {since !== '' && (
        <span class="muted">
          for <Since at={since} />
        </span>
      )}
    </>
  );
}

function StandingBanner({ read, reading, explanations }: StateProps & { readonly reading: ServiceReading }) {
  const { sentence, nextCheck, notes } = standingOf(read, reading.status.value, explanations);
  const failing = explanations.find(({ failure }) => failure)?.failure;
  const counting = explanations.map(attemptCountOf).find((count) => count !== null) ?? null;
  return (
    <>
      {!mayAct() && <p class="muted">{readsOnly}</p>}
      <Banner
        state={read.resource.state}
        sentence={sentence}
        attempt={counting}
        due={nextCheck === null ? null : { word: 'Next check', at: nextCheck }}
        notes={[
          ...(notes.length > 0 ? [{ text: notes.join(' · ') }] : []),
          ...(failing ? [{ text: `Failed ${plural(failing.count, 'time')} in a row: ${failing.text}.` }] : []),
        ]}
        hint={helpOf(read)}
        explanation={explanations.find(({ machine }) => machine === mainMachine) ?? null}
      />
    </>
  );
}
