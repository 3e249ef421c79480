/** A schema in the form of the description. */
export type Written = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Written =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Writes schemas out; one with a title is written once, under that title, and then referred to. */
export function makeComponents() {
  const schemas = new Map<string, Written>();

  function plain(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(plain);
    if (!isRecord(value)) return value;
    const { title } = value;
    if (typeof title === 'string') return refer(title, value);
    return copied(value);
  }

  const copied = (value: Written): Written =>
    Object.fromEntries(Object.entries(value).map(([name, field]) => [name, plain(field)]));

  function refer(title: string, schema: Written): Written {
    if (!schemas.has(title)) {
      schemas.set(title, {});
      schemas.set(title, copied(schema));
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
