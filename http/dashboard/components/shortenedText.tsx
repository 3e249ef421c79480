import { useSignal } from '@preact/signals';
import { excerptOf } from '../model/excerpt.ts';
import { TextWithCode } from './textWithCode.tsx';

/** The beginning of a long text, until all of it is asked for. */
export function ShortenedText({ text }: { readonly text: string }) {
  const isOpen = useSignal(false);
  const beginning = excerptOf(text);
  return (
    <>
      <TextWithCode text={isOpen.value ? text : `${beginning} …`} />{' '}
      <button
        type="button"
        class="button button-small button-plain"
        aria-expanded={isOpen.value}
        onClick={() => (isOpen.value = !isOpen.value)}
      >
        {isOpen.value ? 'Show less' : 'Show all'}
      </button>
    </>
  );
}
