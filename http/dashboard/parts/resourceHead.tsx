import type { Explanation, Read } from '../../api.ts';
import type { Loaded } from '../store/loaded.ts';
import { mayAct } from '../store/session.ts';
import { attemptCountOf } from '../words/attemptCount.ts';
import { plural } from '../words/plural.ts';
import { helpOf, type Standing } from '../words/resource.ts';
import { stateWord } from '../words/state.ts';
import { Actions, type Asked } from './actionButton.tsx';
import { readsOnly } from './ask.ts';
import { Banner, type BannerNote } from './banner/banner.tsx';
import { Skeleton } from './note.tsx';
import { StateChip } from './stateChip.tsx';
import { Since } from './times.tsx';

interface ResourceHeadProps {
  readonly name: string;
  readonly loaded: Loaded<Read>;
  readonly explanations: readonly Explanation[];
  /** The machine of the resource itself; the others are of its drafts and of its retries. */
  readonly machine: string;
  readonly standingOf: (read: Read) => Standing;
  /** Words beside the state. */
  readonly also?: readonly string[];
  readonly notes?: readonly BannerNote[];
  readonly actionsOf: (read: Read) => readonly Asked[];
  readonly onDone: () => void;
}

/** Whether the server says that an object is not there. */
export const isGone = (failed: Loaded<unknown>['failed']): boolean => failed?.is === 'refused' && failed.status === 404;

/** Name, state and actions of a resource, and why it is in its state. */
export function ResourceHead({ name, loaded, also = [], actionsOf, onDone, ...standing }: ResourceHeadProps) {
  const read = isGone(loaded.failed) ? null : loaded.value;
  const since = read === null ? '' : standing.standingOf(read).since;
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
        {read && mayAct() && <Actions label="Actions" actions={actionsOf(read)} onDone={onDone} />}
      </div>
      {read && <StandingBanner read={read} {...standing} />}
      {read === null && loaded.failed === null && <Skeleton height={96} />}
    </>
  );
}

interface StandingBannerProps extends Pick<ResourceHeadProps, 'explanations' | 'machine' | 'standingOf' | 'notes'> {
  readonly read: Read;
}

function StandingBanner({ read, explanations, machine, standingOf, notes: more = [] }: StandingBannerProps) {
  const { sentence, nextCheck, notes } = standingOf(read);
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
