import { isoTime } from '../../rules/time.ts';
import { onRequest } from '../../runtime/step/onRequest.ts';
import { tokenFacts, tokenStepper } from '../auth/tokens/lifecycle.ts';
import { stateOf, type TokenRecord, tokenSecret } from '../auth/tokens/records.ts';
import type { TokenStore } from '../auth/tokens.ts';
import { type AccessItem, type AccessMachine, secretNamed } from './accessMachine.ts';

const itemOf = (record: TokenRecord, now: number): AccessItem => {
  const { id, name, scope, createdAt, expiresAt } = record;
  const state = stateOf(record, now);
  return {
    item: id,
    subject: name,
    scope,
    state,
    since: state === 'Expired' ? expiresAt : createdAt,
    facts: tokenFacts(record, null, now),
    shownFacts: {},
    notes:
      expiresAt === null || state === 'Expired'
        ? []
        : [{ name: 'expiry', text: 'It expires', until: isoTime(expiresAt) }],
  };
};

/** The API tokens, named by their public identifiers. */
export const tokenMachine = ({ list }: Pick<TokenStore, 'list'>): AccessMachine => ({
  machine: onRequest(tokenStepper),
  object: secretNamed(tokenSecret),
  items: (now) => list().map((record) => itemOf(record, now)),
});
