import { isObject } from '../../rules/json.ts';
/** A schema in the form of the description. */
export type Written = Readonly<Record<string, unknown>>;

const copied = (value: Written, each: (field: unknown) => unknown): Written =>
  Object.fromEntries(Object.entries(withoutAnything(value)).map(([name, field]) => [name, each(field)]));

/** An alternative that any value satisfies is one of the check, whose refusal has words of its own, and not told. */
function withoutAnything(schema: Written): Written {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf)) return schema;
  const schemas = anyOf.filter((one) => isObject(one) && Object.keys(one).length > 0) as readonly Written[];
  if (schemas.length === anyOf.length) return schema;
  return schemas.length === 1 ? { ...rest, ...schemas[0] } : { ...rest, anyOf: schemas };
}

/** A schema with all that it refers to inside it. */
export const inline = (schema: object): Written => inlined(schema) as Written;

function inlined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inlined);
  return isObject(value) ? copied(value, inlined) : value;
}

/** Writes schemas out; one with a title is written once, under that title, and then referred to. */
export function makeComponents() {
  const schemas = new Map<string, Written>();

  function plain(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(plain);
    if (!isObject(value)) return value;
    const { title } = value;
    if (typeof title === 'string') return refer(title, value);
    return copied(value, plain);
  }

  function refer(title: string, schema: Written): Written {
    if (!schemas.has(title)) {
      schemas.set(title, {});
      schemas.set(title, copied(schema, plain));
    }
    return { $ref: `#/components/schemas/${title}` };
  }

  return {
    write: (schema: object): Written => plain(schema) as Written,
    /** All schemas that were referred to, by title. */
    all: (): Written => Object.fromEntries([...schemas].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };
}

export type Components = ReturnType<typeof makeComponents>;
