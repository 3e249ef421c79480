import { Type } from '@sinclair/typebox';
import type { View } from '../../rules/access/needs.ts';
import { type Attention as Item, type AttentionWord } from '../../rules/cause/attention.ts';
import { attentionItems } from '../lists/attentionItems.ts';
import { pathText } from '../openapi/kit.ts';
import { placeQuery } from '../openapi/paging.ts';
import { read, uncached } from '../openapi/schema.ts';
import { refuse } from '../orThrow.ts';
import { jsonList, jsonObject, type JsonText, jsonText } from '../response/jsonText.ts';
import { sendJson, sendReadText } from '../response.ts';
import { perContext, type Resource, route, type RouteContext } from '../route.ts';
import { attentionView, givenUpIn, subjectOf } from '../views/attention.ts';
import { retryEach } from './attention/retry.ts';
import { type Attention, type AttentionList, attentionList, retried } from './attention/shapes.ts';

const maxItems = 200;
const group = 'Projects';

const itemsIn = perContext(({ caches }) => attentionItems(caches));

const fields = {
  Failed: 'failed',
  'At risk': 'atRisk',
  Crashing: 'crashing',
  Retrying: 'retrying',
  Stuck: 'stuck',
} as const satisfies Record<AttentionWord, keyof AttentionList['counts']>;

function countsOf(items: readonly Item[]): AttentionList['counts'] {
  const counts = { failed: 0, atRisk: 0, crashing: 0, retrying: 0, stuck: 0 };
  for (const { word } of items) counts[fields[word]] += 1;
  return counts;
}

/** An item as JSON for a view; null where its object is gone. */
type ItemText = JsonText<Attention> | null;

/** What was serialized of an item, as long as the object that it is about is the same. */
interface KeptText {
  readonly subject: object | undefined;
  readonly text: ItemText;
}

/** Serializes items for a view; each is kept until one of its objects changes. */
const textsIn = perContext(({ caches, settings: { gitUrl } }: RouteContext) => {
  const kept = new WeakMap<Item, Map<View, KeptText>>();
  return (item: Item, view: View): ItemText => {
    const ofViews = kept.get(item) ?? new Map<View, KeptText>();
    const subject = subjectOf(caches, item)?.object;
    const known = ofViews.get(view);
    if (known !== undefined && known.subject === subject) return known.text;
    const shown = attentionView(caches, item, { view, gitUrl });
    const text = shown && jsonText(shown);
    kept.set(item, ofViews.set(view, { subject, text }));
    return text;
  };
});

/** What needs attention: one item a root and reason, with all that it holds up. */
export const attentionRoutes = {
  'GET /attention': route(
    {
      group,
      summary:
        'Lists what needs attention, one item a root and reason: the most urgent word first, then what holds up most, then the newest.',
      path: {},
      query: Type.Object(placeQuery),
      answers: read(attentionList, 'The first 200 items, and the counts of all.'),
    },
    (context) =>
      (ctx, { view }, { query }) => {
        const items = itemsIn(context)(context.now(), query);
        const textOf = textsIn(context);
        const texts = items
          .slice(0, maxItems)
          .map((item) => textOf(item, view))
          .filter((text) => text !== null);
        sendReadText(ctx, jsonObject<AttentionList>({ items: jsonList(texts), counts: jsonText(countsOf(items)) }));
      },
  ),
  'POST /attention/{id}/retry': route(
    {
      group,
      summary: 'Retries each object that was given up because of one root and reason.',
      path: { id: pathText },
      answers: { 200: uncached(retried, 'What is retried, and what was refused; both may be empty.') },
      refusals: { 404: 'Nothing needs attention under that id.' },
    },
    (context) =>
      async function retryAttention(ctx, access, { path: { id } }) {
        const item =
          itemsIn(context)(context.now()).find((one) => one.id === id) ??
          refuse(ctx, 404, `nothing needs attention under "${id.slice(0, 80)}"`);
        sendJson(ctx, await retryEach(context, access, givenUpIn(item)));
      },
  ),
} satisfies Resource;
