const maxShown = 280;

/** The beginning of a long text, which ends between words and cuts no code in two. */
export function excerptOf(text: string): string {
  const cut = text.slice(0, maxShown);
  const words = cut.slice(0, Math.max(cut.lastIndexOf(' '), maxShown / 2));
  const isInCode = (words.split('`').length - 1) % 2 === 1;
  return (isInCode ? words.slice(0, words.lastIndexOf('`')) : words).trimEnd();
}

/** To hide little of a text would cost more than it spares. */
const maxUnshortened = 360;

/** Whether a text is more than is read at a glance. */
export const isLong = (text: string): boolean => text.length > maxUnshortened;
