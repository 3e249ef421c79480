import { authorization } from './authorization.ts';
import { conversions } from './conversions.ts';
import { cidrs, ips } from './ip.ts';
import { lists, maps, sets } from './lists.ts';
import { namedFormats } from './namedFormats.ts';
import { operators } from './operators.ts';
import { optionals } from './optionals.ts';
import { quantities } from './quantity.ts';
import { semvers } from './semver.ts';
import { type Overload, overloadsIn } from './signature.ts';
import { strings } from './strings.ts';
import { times } from './times.ts';
import { urls } from './url.ts';

const tables = [
  operators,
  conversions,
  strings,
  times,
  lists,
  sets,
  maps,
  optionals,
  quantities,
  ips,
  cidrs,
  urls,
  semvers,
  namedFormats,
  authorization,
];

/** Every function that an API server knows, by its name. */
export const functions: ReadonlyMap<string, readonly Overload[]> = byName(tables.flatMap(overloadsIn));

function byName(all: readonly Overload[]): ReadonlyMap<string, readonly Overload[]> {
  const found = new Map<string, Overload[]>();
  for (const one of all) found.set(one.name, [...(found.get(one.name) ?? []), one]);
  return found;
}
