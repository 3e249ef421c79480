/** As much of a text as is read at a glance. */
const mostShown = 280;
/** To hide less than this would cost more than it spares. */
const leastHidden = 80;

/** The beginning of a long text, which ends between words and cuts no code in two; a shorter one is whole. */
export function beginningOf(text: string): string {
  if (text.length <= mostShown + leastHidden) return text;
  const cut = text.slice(0, mostShown);
  const words = cut.slice(0, Math.max(cut.lastIndexOf(' '), mostShown / 2));
  const isInCode = (words.split('`').length - 1) % 2 === 1;
  return (isInCode ? words.slice(0, words.lastIndexOf('`')) : words).trimEnd();
}
