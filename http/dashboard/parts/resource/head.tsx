import type { Read } from '../../../api.ts';
import type { Loaded } from '../../store/loaded.ts';
import { mayAct } from '../../store/session.ts';
import { attemptCountOf } from '../../words/attemptCount.ts';
import { plural } from '../../words/plural.ts';
import { waits } from '../../words/project.ts';
import { helpOf, resourceStanding, type Standing } from '../../words/resource.ts';
import { stateWord } from '../../words/state.ts';
import { Actions, type Asked } from '../actionButton.tsx';
import { readsOnly } from '../ask.ts';
import { Banner, type BannerNote } from '../banner/banner.tsx';
import { Skeleton } from '../note.tsx';
import { StateChip } from '../stateChip.tsx';
import { Since } from '../times.tsx';
import type { ResourceReading } from './reading.ts';

interface ResourceHeadProps {
  readonly reading: ResourceReading;
  /** What its top says, where that is more than its machine knows. */
  readonly standingOf?: (read: Read) => Standing;
  /** Words beside the state. */
  readonly also?: readonly string[];
  readonly notes?: readonly BannerNote[];
}

/** While changes wait, their bar deploys them; what has not given up has nothing to retry. */
const actionsOf = ({ resource }: Read, { isDeployed, pathOf }: ResourceReading): readonly Asked[] => [
  ...(resource.state === 'failed' ? [{ word: 'Retry', path: pathOf('retry') }] : []),
  ...(!isDeployed || waits(resource) || resource.state === 'deleting'
    ? []
    : [{ word: 'Redeploy', path: pathOf('deploy') }]),
];

/** Whether the server says that an object is not there. */
export const isGone = (failed: Loaded<unknown>['failed']): boolean => failed?.is === 'refused' && failed.status === 404;

/** Name, state and actions of a resource, and why it is in its state. */
export function ResourceHead({
  reading,
  standingOf = (read) => resourceStanding(read, reading.machine, reading.explanations),
  also = [],
  notes = [],
}: ResourceHeadProps) {
  const { name, resource: loaded } = reading;
  const read = isGone(loaded.failed) ? null : loaded.value;
  const standing = read && standingOf(read);
  const since = standing?.since ?? '';
  return (
    <>
      <div class="page-head">
        <div class="row">
          <h1>{read?.resource.displayName ?? name}</h1>
          {read && (
            <span role="status">
              <StateChip state={read.resource.state} shown={stateWord(read.resource.state)} also={also} large />
            </span>
          )}
          {since !== '' && (
            <span class="muted">
              for <Since at={since} />
            </span>
          )}
        </div>
        {read && mayAct() && <Actions label="Actions" actions={actionsOf(read, reading)} onDone={reading.reload} />}
      </div>
      {read && standing && <StandingBanner read={read} reading={reading} standing={standing} notes={notes} />}
      {read === null && loaded.failed === null && <Skeleton height={96} />}
    </>
  );
}

interface StandingBannerProps {
  readonly read: Read;
  readonly reading: ResourceReading;
  readonly standing: Standing;
  readonly notes: readonly BannerNote[];
}

function StandingBanner({ read, reading: { explanations, machine }, standing, notes: more }: StandingBannerProps) {
  const { sentence, nextCheck, notes } = standing;
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
          ...more,
          ...(failing ? [{ text: `Failed ${plural(failing.count, 'time')} in a row: ${failing.text}.` }] : []),
        ]}
        hint={helpOf(read)}
        explanation={explanations.find((one) => one.machine === machine) ?? null}
      />
    </>
  );
}
