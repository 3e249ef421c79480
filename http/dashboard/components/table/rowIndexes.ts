/** How assistive technology counts the lines of a table, of which each row has one or two: the head is the first line. */
export const rowIndexes = (linesPerRow: number) => ({
  indexOf: (place: number): number => 2 + place * linesPerRow,
  /** The place of the row that a line belongs to; below 0 for a line that is not counted. */
  placeOf: (line: Element): number => Math.floor((Number(line.getAttribute('aria-rowindex')) - 2) / linesPerRow),
});
