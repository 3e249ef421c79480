/** The least and the most that something can be: the size of a value, or the cost of making it. */
export interface Span {
  readonly least: number;
  readonly most: number;
}

/** Where nothing is known of the most: as much as there is. */
export const boundless = 2 ** 64;

export const exactly = (amount: number): Span => ({ least: amount, most: amount });
export const unknownSize: Span = { least: 0, most: boundless };

const capped = (amount: number) => Math.min(boundless, amount);

export const plus = (...spans: readonly Span[]): Span => ({
  least: capped(spans.reduce((sum, { least }) => sum + least, 0)),
  most: capped(spans.reduce((sum, { most }) => sum + most, 0)),
});

export const times = (a: Span, b: Span): Span => ({
  least: capped(a.least * b.least),
  most: capped(a.most * b.most),
});

/** A size at so much for each, rounded up. */
export const by = ({ least, most }: Span, factor: number): Span => ({
  least: capped(Math.ceil(least * factor)),
  most: capped(Math.ceil(most * factor)),
});

/** A span in which both lie. */
export const either = (a: Span, b: Span): Span => ({
  least: Math.min(a.least, b.least),
  most: Math.max(a.most, b.most),
});
