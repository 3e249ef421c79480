import { Type } from '@sinclair/typebox';
import { attentionWords } from '../../../rules/cause/attention.ts';
import { states } from '../../../rules/state.ts';
import { oneOf, type ReadonlyStatic, text } from '../../openapi/kit.ts';
import { cause } from '../cause.ts';

const count = Type.Integer({ minimum: 0 });
const object = {
  kind: text(),
  name: text(),
  project: text('Empty for what is shared by all projects.'),
  environment: text(),
  state: oneOf(...states),
};

const attention = Type.Object(
  {
    id: text('The same as long as root and reason stay.'),
    word: oneOf(...attentionWords),
    object: Type.Object({ ...object, displayName: text(), url: text() }),
    cause,
    holdsUp: Type.Array(Type.Object(object), { maxItems: 50, description: 'What waits for it, at most 50.' }),
    holdsUpCount: { ...count, description: 'How many wait for it in all.' },
    since: text('A time.'),
    canRetry: Type.Boolean({ description: 'Whether something was given up because of it.' }),
  },
  { title: 'Attention' },
);
/** Something that needs attention: one root and reason, with all that it holds up. */
export type Attention = ReadonlyStatic<typeof attention>;

export const attentionList = Type.Object(
  {
    items: Type.Array(attention, { maxItems: 200 }),
    counts: Type.Object(
      { failed: count, atRisk: count, crashing: count, retrying: count, stuck: count },
      { description: 'Of all items by their word.' },
    ),
  },
  { title: 'AttentionList' },
);
/** GET /api/v1/attention */
export type AttentionList = ReadonlyStatic<typeof attentionList>;

export const retried = Type.Object(
  {
    retried: Type.Array(Type.Object({ kind: text(), name: text() })),
    refused: Type.Array(Type.Object({ kind: text(), name: text(), error: text() })),
  },
  { title: 'AttentionRetried' },
);
/** POST /api/v1/attention/{id}/retry */
export type AttentionRetried = ReadonlyStatic<typeof retried>;
