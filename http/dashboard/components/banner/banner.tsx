import type { ComponentChildren } from 'preact';
import type { Check } from '../../../../rules/nextCheck.ts';
import type { Cause, Explanation } from '../../../api.ts';
import type { AttemptCount } from '../../model/attemptCount.ts';
import { afterCause } from '../../model/cause.ts';
import type { CauseOwner } from '../../model/causePages.ts';
import { lookOf } from '../../model/state.ts';
import { Card } from '../card.tsx';
import { Fix } from '../cause/fix.tsx';
import { lazyPart } from '../lazy.tsx';
import { LongText } from '../longText.tsx';
import { StateChip } from '../stateChip.tsx';
import { Countdown, Since } from '../times.tsx';

/** Comes after the sentence that most people read alone; one closed line takes this height. */
const Why = lazyPart(async () => (await import('./why.tsx')).Why, 45);
const causeHeight = 48;
/** Most objects have no cause. */
const CauseHead = lazyPart(async () => (await import('../cause/causeHead.tsx')).CauseHead, causeHeight);

/** A moment that something waits for. */
interface Due extends Check {
  readonly label: string;
}

/** What else is known of a state: words, and the moment they count down to, if there is one. */
export interface BannerNote {
  readonly text: string;
  readonly until?: string | null;
}

/** The causes of a state, the worst first, with the object that has them. */
export interface BannerCauses {
  readonly owner: CauseOwner;
  readonly all: readonly Cause[];
}

interface BannerWords {
  readonly state: string;
  /** The displayed word; left out where the page shows the state above. */
  readonly shown?: string;
  readonly also?: readonly string[];
  /** When the state began; empty where that is not stored, left out where the page shows it above. */
  readonly since?: string;
  readonly sentence: string;
  readonly attempt?: AttemptCount | null;
  /** The next check, or a deadline. */
  readonly due?: Due | null;
  readonly notes?: readonly BannerNote[];
  /** Why it is in that state, said before the sentence. */
  readonly causes?: BannerCauses | null;
}

interface BannerProps extends BannerWords {
  /** What it is about, where a page has two. */
  readonly label?: string;
  /** What is behind it, for those who ask why. */
  readonly explanation?: Explanation | null;
  readonly actions?: ComponentChildren;
}

/** What an object is, why, and until when: the first thing on its page. */
export function Banner({ label = 'State', explanation, actions, ...words }: BannerProps) {
  const { state, shown, since, notes = [], causes = null } = words;
  const hints = hintsOf(causes);
  const hasHead = shown !== undefined || since !== undefined || actions !== undefined;
  return (
    <Card label={label} tone={lookOf(state).tone} look="banner">
      <div class="banner-in">
        {hasHead && <Head {...words} actions={actions} />}
        {causes?.all.map((cause, index) => (
          <CauseHead
            key={`${cause.of} ${cause.reason} ${cause.on.name}`}
            cause={cause}
            owner={causes.owner}
            isWorst={index === 0}
          />
        ))}
        <Sentence {...words} />
        {notes.length > 0 && (
          <ul class="banner-notes">
            {notes.map((note) => (
              <Noted key={note.text} {...note} />
            ))}
          </ul>
        )}
        {hints.map((hint) => (
          <Fix key={hint} hint={hint} />
        ))}
      </div>
      {explanation && <Why explanation={explanation} />}
    </Card>
  );
}

/** What a person can do about each cause, once. */
const hintsOf = (causes: BannerCauses | null): readonly string[] => [
  ...new Set(causes?.all.flatMap(({ hint }) => (hint === '' ? [] : [hint])) ?? []),
];

/** The message of the documents: the sentence itself, or under the cause. */
function Sentence({ sentence, causes = null, attempt = null, due = null }: BannerWords) {
  const [worst = null] = causes?.all ?? [];
  const text = afterCause(worst, sentence);
  return (
    <div class="banner-says">
      {text !== '' && (
        <p class={worst === null ? 'explain-says' : 'banner-message'} role={worst === null ? 'status' : undefined}>
          <LongText text={text} />
        </p>
      )}
      <Counts attempt={attempt} due={due} />
    </div>
  );
}

type HeadProps = Pick<BannerProps, 'state' | 'shown' | 'also' | 'since' | 'actions'>;

const Head = ({ state, shown, also = [], since, actions }: HeadProps) => (
  <div class="banner-head">
    <div class="row">
      {shown !== undefined && (
        <span class="row" role="status">
          <StateChip state={state} shown={shown} also={also} large />
        </span>
      )}
      {since !== undefined && (
        <span class="muted">
          for <Since at={since} />
        </span>
      )}
    </div>
    {actions}
  </div>
);

/** Outside every region that is spoken: a countdown never is. */
function Counts({ attempt, due }: Pick<BannerProps, 'attempt' | 'due'>) {
  if (!attempt && !due) return null;
  return (
    <p class="banner-counts">
      {attempt && (
        <span>
          Attempt {attempt.n} of {attempt.of}
        </span>
      )}
      {due && (
        <span>
          {due.label}{' '}
          <b>
            <Countdown at={due.at} everyMs={due.everyMs} />
          </b>
        </span>
      )}
    </p>
  );
}

const Noted = ({ text, until = null }: BannerNote) => (
  <li>
    <LongText text={text} />
    {until !== null && (
      <>
        {' '}
        <b>
          <Countdown at={until} />
        </b>
      </>
    )}
  </li>
);
