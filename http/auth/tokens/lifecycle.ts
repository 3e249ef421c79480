import { tables } from '../../../machines/tables.ts';
import { token } from '../../../machines/token.ts';
import type { TokenEvent, TokenState } from '../../../machines/names.ts';
import { byState } from '../../../rules/engine.ts';
import { tokenEvents } from '../../../rules/token/events.ts';
import type { TokenAsked, TokenFacts } from '../../../rules/token/facts.ts';
import { transitionOf } from '../../../runtime/step/transitionOf.ts';
import type { Move } from '../../../runtime/step/step.ts';
import { stateOf, type TokenRecord } from './records.ts';
import type { Stepper } from '../../../runtime/contract/stepper.ts';

export const tokenStepper: Stepper<TokenFacts, TokenState, TokenEvent['type']> = {
  name: 'token',
  storage: 'secret',
  machine: token,
  rules: byState(tokenEvents),
  ...tables.token,
};

/** The facts of a token, also of a missing one; `asked` is null for a read. */
export const tokenFacts = (record: TokenRecord | undefined, asked: TokenAsked | null, now: number): TokenFacts => ({
  now,
  asked,
  project: record?.scope?.project ?? null,
  environment: record?.scope?.environment ?? null,
  expiresAt: record?.expiresAt ?? null,
  lastUsedAt: record?.lastUsedAt ?? null,
});

/** The transition of a token, also of a missing one, for a request. */
export const transitionToken = (
  record: TokenRecord | undefined,
  asked: TokenAsked,
  now: number,
): Move<TokenState, TokenEvent['type']> =>
  transitionOf(tokenStepper, stateOf(record, now), tokenFacts(record, asked, now));

/** Whether the deletion of a project or of an environment revokes a token. */
export const losesHash = (record: TokenRecord, deletion: TokenAsked, now: number): boolean =>
  transitionToken(record, deletion, now).actions.includes('dropHash');
