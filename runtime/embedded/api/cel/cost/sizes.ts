import type { Declared } from '../types/declared.ts';
import { type CelType, inner } from '../types/type.ts';
import { type Span, exactly } from './size.ts';

/** Where a value stands: a variable, then fields, `@items`, `@values` and `@keys`. */
export type Path = readonly string[];

/** What a schema says of the value at a path; null where it says nothing. */
export function declaredAt(root: Declared, path: Path): Declared | null {
  if (path.length === 0) return null;
  let here: Declared | undefined = root;
  for (const step of path.slice(1)) {
    if (step === '@items' || step === '@values') here = here.item;
    else here = step === '@keys' ? here.key : here.fields?.get(step);
    if (here === undefined) return null;
  }
  return here;
}

const fixed: ReadonlySet<string> = new Set(['bool', 'double', 'duration', 'int', 'timestamp', 'uint']);

/** The size of values that are all of one size. */
export function typeSize(type: CelType): Span | null {
  if (type.kind === 'optional') return typeSize(inner(type));
  return fixed.has(type.kind) ? exactly(1) : null;
}
