import type { Cause, Read } from '../../../api.ts';
import { isGone } from '../../store/loaded.ts';
import { mayAct } from '../../store/session.ts';
import { attemptCountOf } from '../../model/attemptCount.ts';
import { plural } from '../../model/plural.ts';
import { resourceSummary, type ResourceSummary } from '../../model/resource.ts';
import { stateWord } from '../../model/state.ts';
import { Actions, type Action } from '../actionButton.tsx';
import { readsOnly } from '../checkNow.ts';
import { Banner, type BannerNote } from '../banner/banner.tsx';
import { Skeleton } from '../note.tsx';
import { StateChip } from '../stateChip.tsx';
import { Since } from '../times.tsx';
import type { ResourceReading } from './reading.ts';

/** What a kind adds to the head of its resources. */
export interface HeadAdditions {
  /** What its top says, where that is more than its machine knows. */
  readonly summaryOf?: (read: Read) => ResourceSummary;
  /** Words beside the state. */
  readonly also?: readonly string[];
  readonly notes?: readonly BannerNote[];
}

interface ResourceHeadProps extends HeadAdditions {
  readonly reading: ResourceReading;
  readonly actionsOf: (read: Read) => readonly Action[];
}

/** Name, state and actions of a resource, and why it is in its state. */
export function ResourceHead({ reading, ...more }: ResourceHeadProps) {
  const { value, failed } = reading.resource;
  if (value !== null && !isGone(failed)) return <Known read={value} reading={reading} {...more} />;
  return (
    <>
      <div class="page-head">
        <h1>{reading.name}</h1>
      </div>
      {failed === null && <Skeleton height={96} />}
    </>
  );
}

function Known({
  read,
  reading,
  actionsOf,
  summaryOf = (one) => resourceSummary(one, reading.machine, reading.explanations),
  also = [],
  notes = [],
}: ResourceHeadProps & { readonly read: Read }) {
  const { displayName, state } = read.resource;
  const standing = summaryOf(read);
  return (
    <>
      <div class="page-head">
        <div class="row">
          <h1>{displayName}</h1>
          <span role="status">
            <StateChip state={state} shown={stateWord(state)} also={also} large />
          </span>
          {standing.since !== '' && (
            <span class="muted">
              for <Since at={standing.since} />
            </span>
          )}
        </div>
        {mayAct() && <Actions of={displayName} actions={actionsOf(read)} onDone={reading.reload} />}
      </div>
      <SummaryBanner read={read} reading={reading} standing={standing} notes={notes} />
    </>
  );
}

/** The causes of a resource, the worst first: that one is as new as its state, the others as its explanation. */
const causesIn = ({ resource: { cause } }: Read, { explained }: ResourceReading): readonly Cause[] =>
  cause === null ? [] : [cause, ...(explained.value?.causes.slice(1) ?? [])];

interface SummaryBannerProps {
  readonly read: Read;
  readonly reading: ResourceReading;
  readonly standing: ResourceSummary;
  readonly notes: readonly BannerNote[];
}

function SummaryBanner({ read, reading, standing, notes: more }: SummaryBannerProps) {
  const { explanations, machine } = reading;
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
        due={nextCheck === null ? null : { label: 'Next check', ...nextCheck }}
        notes={[
          ...(notes.length > 0 ? [{ text: notes.join(' · ') }] : []),
          ...more,
          ...(failing ? [{ text: `Failed ${plural(failing.count, 'time')} in a row: ${failing.text}.` }] : []),
        ]}
        causes={{ owner: read.resource, all: causesIn(read, reading) }}
        explanation={explanations.find((one) => one.machine === machine) ?? null}
      />
    </>
  );
}
