import { isLong } from '../model/excerpt.ts';
import { lazyPart } from './lazy.tsx';
import { TextWithCode } from './textWithCode.tsx';

const lineHeight = 20;
const ShortenedText = lazyPart(async () => (await import('./shortenedText.tsx')).ShortenedText, lineHeight);

/** A text; of a long one its beginning. */
export const LongText = ({ text }: { readonly text: string }) =>
  isLong(text) ? <ShortenedText text={text} /> : <TextWithCode text={text} />;
