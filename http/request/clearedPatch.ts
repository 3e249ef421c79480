import { isObject } from '../../rules/json.ts';
import type { TSchema } from '@sinclair/typebox';
import { withDefaults } from '../../crds/defaults.ts';
import type { SpecPatch } from '../../rules/draftDeploy/facts.ts';
import { merged } from '../../runtime/step/mergePatch.ts';

const filled = (patch: SpecPatch, after: SpecPatch): SpecPatch =>
  Object.fromEntries(
    Object.entries(patch).map(([name, value]) => {
      const there = after[name];
      if (value === null) return [name, there ?? null];
      return [name, isObject(value) && isObject(there) ? filled(value, there) : value];
    }),
  );

/** A patch of a spec in which null becomes the default of a field that has one, as the cluster would store it. */
export const clearedPatch = (schema: TSchema, before: object, patch: SpecPatch): SpecPatch =>
  filled(patch, withDefaults(schema, merged(before, patch)) as SpecPatch);
