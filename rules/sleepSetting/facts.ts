/** The response to a status read; `active` and `message` of `scaleToZero` are present once the cluster has answered. */
export type SleepAnswer =
  | { readonly is: 'found'; readonly active: boolean | null; readonly message: string }
  | { readonly is: 'refused'; readonly code: number; readonly why: string }
  | { readonly is: 'silent' };

/** The facts of one step of the command. */
export interface SleepSettingFacts {
  readonly now: number;
  readonly app: string;
  readonly wanted: { readonly is: 'alwaysOn' } | { readonly is: 'sleepAfter'; readonly ms: number };
  /** The API's response to the setting; `why` is the text of its error. */
  readonly setting: { readonly is: 'saved' } | { readonly is: 'refused'; readonly why: string };
  /** When the wait for the cluster began; null before. */
  readonly savedAt: number | null;
  readonly answer: SleepAnswer;
}

/** The numbers of document 002 ("Command details", scale; "Limits"). */
export const sleepLimits = {
  leastMs: 30_000,
  mostMs: 86_400_000,
  answerMs: 10_000,
  pollMs: 1_000,
} as const;

export type SleepLimits = Readonly<Record<keyof typeof sleepLimits, number>>;
