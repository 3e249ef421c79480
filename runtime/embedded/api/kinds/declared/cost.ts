import type { Compiled } from '../../cel/compile.ts';
import { mostRequestBytes } from '../../cel/types/declared.ts';
import { forbiddenField } from '../../schema/cause.ts';
import type { RuleScope } from '../../schema/ruleScope.ts';
import type { Schema } from '../../schema/schema.ts';
import type { Cause } from '../../status.ts';

/** Where in the schema of a definition something stands. */
export interface Place {
  readonly path: string;
  readonly isRoot: boolean;
  /** How often values of it may stand in one object; null where nothing says so. */
  readonly times: number | null;
  /** The list whose items cannot be found again in an older object; null where there is none around. */
  readonly untraced: string | null;
}

export const rootPlace = (path: string): Place => ({ path, isRoot: true, times: 1, untraced: null });

/** The place of what a schema holds. */
export function inside({ times, untraced, path: own }: Place, schema: Schema, path: string): Place {
  const { type, items, additionalProperties, maxItems, maxProperties } = schema;
  const isMap = type === 'object' && typeof additionalProperties === 'object';
  const factor = type === 'array' ? (maxItems ?? null) : isMap ? (maxProperties ?? null) : 1;
  const isLost = items
    ? schema['x-kubernetes-list-type'] !== 'map'
    : schema.properties !== undefined && schema['x-kubernetes-map-type'] === 'atomic';
  return {
    path,
    isRoot: false,
    times: times === null || factor === null ? null : times * factor,
    untraced: untraced ?? (isLost ? own : null),
  };
}

/** What the rules of a definition may cost together. */
export interface Budget {
  readonly spend: (field: string, cost: number) => void;
  /** What is wrong where all rules together cost too much. */
  readonly faults: (path: string) => readonly Cause[];
}

const mostOfOne = 10_000_000;
const mostOfAll = 100_000_000;

export function newBudget(): Budget {
  let total = 0;
  let dearest: readonly { readonly field: string; readonly cost: number }[] = [];
  return {
    spend(field, cost) {
      total += cost;
      if (cost < mostOfAll / 100) return;
      dearest = [...dearest, { field, cost }].toSorted((a, b) => b.cost - a.cost).slice(0, 4);
    },
    faults(path) {
      if (total <= mostOfAll) return [];
      const part = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
      const whole = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
      return [
        ...dearest.map(({ field }) => forbiddenField(field, part)),
        forbiddenField(path, exceeds(whole, total, mostOfAll)),
      ];
    },
  };
}

/** What a rule may cost for one object, however often it is evaluated. */
export function costOf(compiled: Compiled, { declared }: RuleScope, { times }: Place): number {
  if (!declared) return 0;
  const most = times ?? Math.floor(mostRequestBytes / (declared.leastBytes + 1));
  return compiled.mostCost(declared) * most;
}

export const tooDear = (what: string, cost: number, field: string): readonly Cause[] =>
  cost > mostOfOne ? [forbiddenField(field, exceeds(what, cost, mostOfOne))] : [];

function exceeds(what: string, cost: number, limit: number): string {
  const factor = cost / limit;
  const told = factor > 100 ? 'more than 100x' : `${factor.toFixed(factor < 1.5 ? 6 : 1)}x`;
  return `${what} exceeds budget by factor of ${told} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;
}
