import type { ComponentChildren } from 'preact';
import type { Check } from '../../../../rules/nextCheck.ts';
import type { Explanation } from '../../../api.ts';
import type { AttemptCount } from '../../model/attemptCount.ts';
import { lookOf } from '../../model/state.ts';
import { Card } from '../card.tsx';
import { lazyPart } from '../lazy.tsx';
import { LongText } from '../longText.tsx';
import { StateChip } from '../stateChip.tsx';
import { Countdown, Since } from '../times.tsx';

/** Comes after the sentence that most people read alone; one closed line takes this height. */
const Why = lazyPart(async () => (await import('./why.tsx')).Why, 45);

/** A moment that something waits for. */
interface Due extends Check {
  readonly label: string;
}

/** What else is known of a state: words, and the moment they count down to, if there is one. */
export interface BannerNote {
  readonly text: string;
  readonly until?: string | null;
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
  /** What a person can do; empty where nothing helps but to wait. */
  readonly hint?: string;
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
  const { state, shown, since, sentence, notes = [], hint = '' } = words;
  const hasHead = shown !== undefined || since !== undefined || actions !== undefined;
  return (
    <Card label={label} tone={lookOf(state).tone} look="banner">
      <div class="banner-in">
        {hasHead && <Head {...words} actions={actions} />}
        <div class="banner-says">
          <p class="explain-says" role="status">
            <LongText text={sentence} />
          </p>
          <Counts {...words} />
        </div>
        {notes.length > 0 && (
          <ul class="banner-notes">
            {notes.map((note) => (
              <Noted key={note.text} {...note} />
            ))}
          </ul>
        )}
        {hint !== '' && (
          <p>
            <b>Fix:</b> {hint}
          </p>
        )}
      </div>
      {explanation && <Why explanation={explanation} />}
    </Card>
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
