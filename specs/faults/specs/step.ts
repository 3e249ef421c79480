import * as fc from 'fast-check';
import type { Schema } from '../../../crds/schema.ts';
import { type Broken, brokenOf } from './broken.ts';
import { valid } from './valid.ts';

/**
 * How a user of kubectl writes a spec: `patch` merges, `replace` names the version it saw, `recreate` deletes first.
 */
const ways = ['patch', 'replace', 'recreate'] as const;
export type Way = (typeof ways)[number];

/** The immutable parts of an object. */
const fixtures = ['uid', 'name', 'kind', 'apiVersion', 'resourceVersion'] as const;
export type Fixture = (typeof fixtures)[number];

/** One write by a user. */
export type Step =
  | { readonly is: 'valid'; readonly way: Way; readonly spec: unknown; readonly andBack: boolean }
  | { readonly is: 'broken'; readonly way: Way; readonly broken: Broken }
  | { readonly is: 'unknown field'; readonly way: Way; readonly spec: unknown }
  | { readonly is: 'fixed'; readonly field: Fixture };

/** Every write that is possible for a spec of that schema. */
export function anyStep(schema: Schema): fc.Arbitrary<Step> {
  const way = fc.constantFrom(...ways);
  const spec = valid(schema);
  const broken = fc.tuple(spec, fc.nat()).map(([whole, choice]): Broken => {
    const all = brokenOf(schema, whole);
    const chosen = all[choice % all.length];
    if (!chosen) throw new Error('nothing of this spec can be wrong');
    return chosen;
  });
  return fc.oneof(
    { weight: 5, arbitrary: fc.record({ is: fc.constant('valid' as const), way, spec, andBack: fc.boolean() }) },
    { weight: 4, arbitrary: fc.record({ is: fc.constant('broken' as const), way, broken }) },
    { weight: 1, arbitrary: fc.record({ is: fc.constant('unknown field' as const), way, spec }) },
    { weight: 1, arbitrary: fc.record({ is: fc.constant('fixed' as const), field: fc.constantFrom(...fixtures) }) },
  );
}

const shown = (spec: unknown) => JSON.stringify(spec);

/** A step as readable text. */
export function sayStep(step: Step): string {
  switch (step.is) {
    case 'valid':
      return `${step.way} ${shown(step.spec)}${step.andBack ? ', then back to the spec before' : ''}`;
    case 'broken':
      return `${step.way} with ${step.broken.field} ${step.broken.what}: ${shown(step.broken.spec)}`;
    case 'unknown field':
      return `${step.way} with a field that there is not: ${shown(step.spec)}`;
    case 'fixed':
      return `change ${step.field}`;
  }
}
