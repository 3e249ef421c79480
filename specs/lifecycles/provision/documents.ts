import type { RetrySeen } from '../../../rules/provisionRetry/facts.ts';

/** What the documents call giving up, by the event of the counted-failure rule in this pass. */
const givingUp = {
  timeRanOut: 'failureTimeExhausted',
  permanentlyFailed: 'permanentErrorFound',
  limitReached: 'failuresExhausted',
} as const;
type GivingUp = (typeof givingUp)[keyof typeof givingUp];

const gaveUpBy = (event: string | null): GivingUp | undefined =>
  (givingUp as Readonly<Record<string, GivingUp>>)[event ?? ''];

/** What happened to something in service that the counted-failure rule has given up; null while it has not. */
export function gaveUp({ state, event }: RetrySeen): GivingUp | 'givenUpFound' | null {
  return state === 'ProvisionFailed' ? (gaveUpBy(event) ?? 'givenUpFound') : null;
}

/** What happened to something that was given up: it stays so until the counted-failure rule begins anew. */
export function givenUp({ state, event }: RetrySeen): 'failureStood' | 'retryAsked' | 'specChanged' | 'redeployAsked' {
  if (state === 'ProvisionFailed') return gaveUpBy(event) === undefined ? 'failureStood' : 'retryAsked';
  if (event === 'generationChanged') return 'specChanged';
  return event === 'redeployFound' ? 'redeployAsked' : 'retryAsked';
}

/** Whether this pass counted its outcome. */
export const hasCounted = ({ event }: RetrySeen): boolean => event === 'rowBegan' || event === 'failureCounted';
