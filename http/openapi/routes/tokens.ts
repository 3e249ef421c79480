import { itemsOf, pathText } from '../kit.ts';
import { said, type Schemas } from '../schema.ts';
import { newToken, token, tokenAsked } from '../shapes/access.ts';

/** API tokens, which only a signed-in admin may use (document 002, Authentication rule 1). */
export const tokenSchemas = {
  'GET /tokens': {
    group: 'Tokens',
    summary: 'Lists the API tokens, by name.',
    path: {},
    answers: { 200: said(itemsOf(token), 'The tokens; none is told itself.') },
  },
  'POST /tokens': {
    group: 'Tokens',
    summary: 'Makes an API token, of the workspace or of one environment.',
    path: {},
    body: { schema: tokenAsked },
    answers: { 201: said(newToken, 'The token, told this once.') },
  },
  'DELETE /tokens/{token}': {
    group: 'Tokens',
    summary: 'Revokes an API token at once.',
    path: { token: pathText },
    answers: { 200: said(token, 'The token that was revoked.') },
    refusals: { 404: 'There is no token of this id.' },
  },
} as const satisfies Schemas<'GET /tokens' | 'POST /tokens' | 'DELETE /tokens/{token}'>;
