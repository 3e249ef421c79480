/** The tone of a state: its colour, and with it a sign, so that colour is never alone. */
export type Tone = 'waiting' | 'active' | 'good' | 'bad' | 'idle' | 'unknown';

export type Sign = 'ring' | 'hourglass' | 'arrow' | 'check' | 'cross' | 'slash' | 'question' | 'pencil';

interface Look {
  readonly tone: Tone;
  readonly sign: Sign;
}

const looks: Readonly<Record<string, Look>> = {
  Pending: { tone: 'idle', sign: 'ring' },
  pending: { tone: 'waiting', sign: 'hourglass' },
  WaitingForCI: { tone: 'waiting', sign: 'hourglass' },
  Running: { tone: 'active', sign: 'arrow' },
  Succeeded: { tone: 'good', sign: 'check' },
  ready: { tone: 'good', sign: 'check' },
  Failed: { tone: 'bad', sign: 'cross' },
  FailedBeforeJob: { tone: 'bad', sign: 'cross' },
  failed: { tone: 'bad', sign: 'cross' },
  Cancelled: { tone: 'idle', sign: 'slash' },
  deleting: { tone: 'idle', sign: 'slash' },
  '(none)': { tone: 'idle', sign: 'ring' },
  '(deleted)': { tone: 'idle', sign: 'slash' },
  draft: { tone: 'idle', sign: 'pencil' },
};

/** How a state looks, everywhere the same; one that nobody knows looks like a question. */
export const lookOf = (state: string): Look => looks[state] ?? { tone: 'unknown', sign: 'question' };

/** What is added to the word of a state that shares it with another. */
export const subtitleOf = (state: string): string => (state === 'FailedBeforeJob' ? 'before its Job' : '');

/** The state of a service with a capital, as a chip shows it. */
export const stateWord = (state: string): string => `${state.charAt(0).toUpperCase()}${state.slice(1)}`;
