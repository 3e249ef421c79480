import { tables } from '../../../machines/tables.ts';
import { token } from '../../../machines/token.ts';
import type { TokenEvent, TokenState } from '../../../machines/names.ts';
import { byState } from '../../../rules/engine.ts';
import { tokenEvents } from '../../../rules/token/events.ts';
import type { TokenAsked, TokenFacts } from '../../../rules/token/facts.ts';
import { happen } from '../../../runtime/step/happen.ts';
import type { Move, Stepper } from '../../../runtime/step/step.ts';
import { stateOf, type TokenRecord } from './records.ts';

const kept: Stepper<TokenFacts, TokenState, TokenEvent['type']> = {
  name: 'token',
  kept: 'secret',
  machine: token,
  rules: byState(tokenEvents),
  ...tables.token,
};

/** The event for a token, or for the absence of one, when that is asked of it. */
export const tokenHappens = (
  record: TokenRecord | undefined,
  asked: TokenAsked,
  now: number,
): Move<TokenState, TokenEvent['type']> =>
  happen(kept, stateOf(record, now), {
    now,
    asked,
    project: record?.scope?.project ?? null,
    expiresAt: record?.expiresAt ?? null,
    lastUsedAt: record?.lastUsedAt ?? null,
  });
