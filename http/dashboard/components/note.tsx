import type { ComponentChildren } from 'preact';
import type { ApiResult } from '../api.ts';
import { identity } from '../store/session.ts';
import { failureWords } from '../model/failure.ts';
import type { Sign as SignName, Tone } from '../model/state.ts';
import { Icon } from './icon.tsx';

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
    <Icon name={sign} />
    <div>{children}</div>
  </div>
);

type Failure = Exclude<ApiResult<unknown>, { readonly is: 'ok' }>;

interface FailedProps {
  readonly failed: Failure | null;
  /** When the shown data was read, by this browser's clock; null where none is shown. */
  readonly readAt: number | null;
  readonly retry?: () => void;
}

/** Why a read failed, in the server's words, and that the shown data is old; who may not read is told who they are. */
export function Failed({ failed, readAt, retry }: FailedProps) {
  if (!failed) return null;
  const words = failureWords(failed, readAt, identity());
  return (
    <Note tone={words.tone} {...(words.tone === 'idle' ? { sign: 'slash' } : {})}>
      {words.text}
      {retry && words.mayTry && (
        <>
          {' '}
          <button class="button button-small" type="button" onClick={retry}>
            Try again
          </button>
        </>
      )}
    </Note>
  );
}

/** A placeholder while data loads. */
export const Skeleton = ({ height, width = '100%' }: { readonly height: number; readonly width?: string }) => (
  <span class="bones" style={{ height: `${height}px`, width }} aria-hidden="true" />
);
