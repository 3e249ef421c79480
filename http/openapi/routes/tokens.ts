import { Type } from '@sinclair/typebox';
import { pathText } from '../kit.ts';
import { pageQuery, pages } from '../paging.ts';
import { said, type SomeSchemas } from '../schema.ts';
import { newToken, token, tokenAsked } from '../shapes/access.ts';

/** API tokens, which only a signed-in admin may use (document 002, Authentication rule 1). */
export const tokenSchemas = {
  'GET /tokens': {
    group: 'Tokens',
    summary: 'Lists the API tokens by name.',
    path: {},
    query: Type.Object(pageQuery),
    ...pages(token, 'The tokens, without their secret texts.'),
  },
  'POST /tokens': {
    group: 'Tokens',
    summary: 'Creates an API token, for the workspace or for one environment.',
    path: {},
    body: { schema: tokenAsked },
    answers: { 201: said(newToken, 'The token with its secret text, which is returned only once.') },
  },
  'DELETE /tokens/{token}': {
    group: 'Tokens',
    summary: 'Revokes an API token at once.',
    path: { token: pathText },
    answers: { 200: said(token, 'The revoked token.') },
    refusals: { 404: 'There is no token with this id.' },
  },
} as const satisfies SomeSchemas;
