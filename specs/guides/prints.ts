/** What may be in a line of a page in place of the text that was printed. */
const anything = /…|\*{3,}/;

const patternOf = (line: string): RegExp => {
  const parts = line.split(anything).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('.*')}$`);
};

/**
 * The first line of what a page shows that was not printed behind those before it; null when all of it was. Other lines
 * may be printed between; `…` and `***` stand for any text.
 */
export function notPrinted(printed: string, shown: string): string | null {
  const lines = printed.split('\n').map((line) => line.trimEnd());
  let at = 0;
  for (const line of shown.split('\n')) {
    const pattern = patternOf(line.trimEnd());
    const found = lines.findIndex((one, place) => place >= at && pattern.test(one));
    if (found === -1) return line;
    at = found + 1;
  }
  return null;
}
