import * as sdk from '@aws-sdk/client-s3';

/** A member of a request as the SDK describes it: its type, and where it stands in HTTP. */
export interface Member {
  readonly name: string;
  readonly type: unknown;
  readonly isRequired: boolean;
  /** The query key or the header; null where it is a part of the path or of the body. */
  readonly place: string | null;
}

export interface SdkOperation {
  readonly name: string;
  readonly method: string;
  readonly members: readonly Member[];
}

type Made = new (input: object) => { readonly schema: Described };
type Described = readonly unknown[];
const read = (schema: unknown): unknown => (typeof schema === 'function' ? read((schema as () => unknown)()) : schema);

const commands = Object.entries(sdk).filter(([name]) => name.endsWith('Command') && name !== '$Command') as [
  string,
  Made,
][];

/** Every operation that this version of the SDK can send. */
export const sdkOperations: readonly SdkOperation[] = commands.map(([command, Command]) => {
  const [, , name, traits, input] = new Command({}).schema as [0, 1, string, { readonly http: [string] }, unknown];
  return { name, method: traits.http[0], members: membersOf(read(input) as Described), command };
});

interface Traits {
  readonly httpHeader?: string;
  readonly httpQuery?: string;
  readonly httpPrefixHeaders?: string;
}

/** Required members come first in the lists of the SDK. */
function membersOf([, , , , names, types, required = 0]: Described): readonly Member[] {
  return ((names ?? []) as readonly string[]).map((name, at) => {
    const given = (types as readonly unknown[])[at];
    const isPlaced = Array.isArray(given) && given.length === 2;
    const { httpHeader, httpQuery, httpPrefixHeaders } = (
      isPlaced && typeof given[1] === 'object' ? given[1] : {}
    ) as Traits;
    const place = httpHeader?.toLowerCase() ?? httpQuery ?? httpPrefixHeaders ?? null;
    return { name, type: isPlaced ? given[0] : given, isRequired: at < (required as number), place };
  });
}

const [isList, isMap, isStructure, isUnion] = [1, 2, 3, 4];

/** Any value of a type: of a structure, its required members. */
export function valueOf(type: unknown): unknown {
  const schema = read(type);
  if (!Array.isArray(schema)) return plainValue(schema);
  if (schema[0] === isList) return [valueOf(schema[4])];
  if (schema[0] === isMap) return { one: valueOf(schema[5]) };
  return schema[0] === isStructure || schema[0] === isUnion ? structureOf(schema) : valueOf(schema[4]);
}

/** The SDK has numbers for types without a name: of lists and maps their flag with that of their content. */
function plainValue(schema: unknown): unknown {
  const plain: Readonly<Record<number, unknown>> = {
    1: 1,
    2: true,
    21: Buffer.from('bytes'),
    42: Buffer.from('bytes'),
  };
  if (typeof schema !== 'number') return 'x';
  if (schema >= 128) return { one: 'x' };
  if (schema >= 64) return ['x'];
  if (schema >= 4 && schema <= 7) return new Date(Date.UTC(2030, 0));
  return plain[schema] ?? 'x';
}

const structureOf = (schema: Described): object => {
  const members = membersOf(schema);
  const wanted = schema[0] === isUnion ? members.slice(0, 1) : members.filter(({ isRequired }) => isRequired);
  return Object.fromEntries(wanted.map(({ name, type }) => [name, valueOf(type)]));
};

/** A request with its required members, of which those given stand in place of any value. */
export function commandOf(
  { name, members }: SdkOperation,
  given: Readonly<Record<string, unknown>>,
): sdk.$Command<never, never, never> {
  const Command = (
    sdk as unknown as Readonly<Record<string, new (input: object) => sdk.$Command<never, never, never>>>
  )[`${name}Command`];
  if (!Command) throw new Error(`the SDK has no operation ${name}`);
  const required = members.filter(({ isRequired }) => isRequired).map((one) => [one.name, valueOf(one.type)]);
  return new Command({ ...Object.fromEntries(required), ...given });
}
