import type { Message } from '../words.ts';

const breaks = /[\p{Cc}\u2028\u2029]/gu;

/** A text in one line: every control character becomes a space, so that all positions stay. */
export const inOneLine = (text: string): string => text.replace(breaks, ' ');

/** A sentence of one line and at most `length` characters; a parameter that is cut keeps what is left of it. */
export function oneLine({ text, params }: Message, length: number): Message {
  const end = text.length <= length ? text.length : endBefore(text, length - 1);
  const isCut = end < text.length;
  return {
    text: `${inOneLine(text.slice(0, end))}${isCut ? '…' : ''}`,
    ...(params && {
      params: params
        .filter(({ at }) => at < end)
        .map((param) => ({ ...param, value: inOneLine(param.value.slice(0, end - param.at)) })),
    }),
  };
}

const highSurrogate = /[\uD800-\uDBFF]$/;

/** Where a text may be cut at the latest, without halving a character. */
export const endBefore = (text: string, end: number): number =>
  highSurrogate.test(text.slice(0, end)) ? end - 1 : end;
