import { Type } from '@sinclair/typebox';
import { states } from '../../../rules/state.ts';
import { oneOf, text } from '../kit.ts';

export const deployed = Type.Object(
  {
    name: text(),
    kind: text(),
    deployed: Type.Literal(true),
    deployment: text('The name of its record; empty for databases.'),
    state: oneOf(...states),
  },
  { title: 'Deployed' },
);
