/** One line of the table: what, the figure, the budget, whether it holds. */
export interface Line {
  readonly what: string;
  readonly figure: string;
  readonly budget: string;
  readonly holds: boolean;
}

/** A ratio. */
export const times = (ratio: number) => `${ratio.toFixed(2)} ×`;
