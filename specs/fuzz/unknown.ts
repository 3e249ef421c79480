import { alsoHeader, type Wire } from './request.ts';

/** What no route knows, and what becomes of it: it is ignored, or refused where it stands in a body. */
export interface Variant {
  readonly name: 'as it is' | 'malformed' | 'unknown query key' | 'unknown header' | 'unknown field';
  readonly wire: Wire;
}

const unknown = 'x-nobody-knows';

const withField = ({ body, ...wire }: Wire): Wire => ({
  ...wire,
  body: Buffer.from(JSON.stringify({ ...(JSON.parse(body.toString()) as object), [unknown]: 1 })),
});

/** A request, and the same with one unknown thing more, each kind by itself. */
export function variantsOf(wire: Wire): readonly Variant[] {
  const target = `${wire.target}${wire.target.includes('?') ? '&' : '?'}${unknown}=1`;
  return [
    { name: 'as it is', wire },
    { name: 'unknown query key', wire: { ...wire, target } },
    { name: 'unknown header', wire: alsoHeader(wire, 'X-Nobody-Knows', '1') },
    ...(wire.body.length === 0 ? [] : [{ name: 'unknown field' as const, wire: withField(wire) }]),
  ];
}
