/** What a function runs with besides its spec. */
export interface FunctionSettled {
  /** The text of each file of its runtime, by name. */
  readonly files: Readonly<Record<string, string>>;
  /** The token of scheduled calls; null where it is not known yet. */
  readonly token: string | null;
}
