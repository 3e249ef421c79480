import type { ComponentChildren } from 'preact';
import type { Answer } from '../api.ts';
import type { Sign as SignName, Tone } from '../words/state.ts';
import { clockTime } from '../words/time.ts';
import { Sign } from './sign.tsx';

const signs = {
  waiting: 'hourglass',
  active: 'arrow',
  good: 'check',
  bad: 'cross',
  idle: 'ring',
  unknown: 'question',
} as const;

interface NoteProps {
  readonly tone: Tone;
  /** A sign other than the one of the tone. */
  readonly sign?: SignName;
  readonly children: ComponentChildren;
}

/** A highlighted message. */
export const Note = ({ tone, sign = signs[tone], children }: NoteProps) => (
  <div class="note" data-tone={tone} role={tone === 'bad' ? 'alert' : 'status'}>
    <Sign name={sign} />
    <div>{children}</div>
  </div>
);

type Failure = Exclude<Answer<unknown>, { readonly is: 'ok' }>;

interface FailedProps {
  readonly failed: Failure | null;
  /** When the shown data was read, by this browser's clock; null where none is shown. */
  readonly readAt: number | null;
  readonly retry?: () => void;
}

/** Why a read failed, in the server's words, and that the shown data is old. */
export const Failed = ({ failed, readAt, retry }: FailedProps) =>
  failed && (
    <Note tone={readAt === null ? 'bad' : 'waiting'}>
      {failed.error}
      {readAt !== null && `. Showing data from ${clockTime(readAt)}.`}
      {retry && (
        <>
          {' '}
          <button class="button button-small" type="button" onClick={retry}>
            Try again
          </button>
        </>
      )}
    </Note>
  );

/** A placeholder while data loads. */
export const Skeleton = ({ height, width = '100%' }: { readonly height: number; readonly width?: string }) => (
  <span class="bones" style={{ height: `${height}px`, width }} aria-hidden="true" />
);
