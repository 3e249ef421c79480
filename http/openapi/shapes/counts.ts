import { Type } from '@sinclair/typebox';
import { states } from '../../../rules/state.ts';
import { type ReadonlyStatic, mapOf, text } from '../kit.ts';

const count = Type.Integer({ minimum: 0 });

const counted = {
  states: mapOf(Type.Integer({ minimum: 1, description: `Of each of ${states.join(', ')} that something is in.` })),
  waiting: { ...count, description: 'With saved changes that wait for a deploy, drafts among them.' },
};

export const environmentCounts = Type.Object(
  { project: text(), environment: text(), ...counted },
  { title: 'EnvironmentCounts' },
);
/** GET /api/v1/counts/environments, by project and name: what each environment holds. */
export type EnvironmentCounts = ReadonlyStatic<typeof environmentCounts>;

export const kindCounts = Type.Object({ kind: text(), ...counted }, { title: 'KindCounts' });
/** GET /api/v1/counts/kinds */
export type KindCounts = ReadonlyStatic<typeof kindCounts>;
