/** The settings of a function besides its spec. */
export interface FunctionSettled {
  /** The text of each file of its runtime, by name. */
  readonly files: Readonly<Record<string, string>>;
  /** The token of scheduled calls; null until known. */
  readonly token: string | null;
}
