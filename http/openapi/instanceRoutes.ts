import type { TSchema } from '@sinclair/typebox';
import { itemsOf } from './kit.ts';
import { read, type RouteSchema, said } from './schema.ts';
import { done } from '../routes/resource.ts';
import { explanation, transitions } from '../routes/machines/shapes.ts';

type Reads<At extends string> = `GET ${At}/explain` | `GET ${At}/transitions`;
type Routes<At extends string, Param extends string> = Readonly<
  Record<Reads<At> | `POST ${At}/look`, RouteSchema<Param>>
>;

interface Instance<Param extends string> extends Pick<RouteSchema, 'group'> {
  /** What one of them is called: `a database`. */
  readonly one: string;
  readonly path: Readonly<Record<Param, TSchema>>;
  readonly absent: string;
}

/** What the instances of every machine are asked under the path of their object. */
export const instanceRoutes = <At extends string, Param extends string>(
  at: At,
  { group, one, path, absent }: Instance<Param>,
): Routes<At, Param> => {
  const shared = { group, path, refusals: { 404: absent } };
  const routes: Readonly<Record<string, RouteSchema<Param>>> = {
    [`GET ${at}/explain`]: {
      ...shared,
      summary: `Explains why ${one} is in its states, and what happens next, once for each of its machines.`,
      answers: read(itemsOf(explanation), 'The decisions and their facts, in the order of the pass.'),
    },
    [`GET ${at}/transitions`]: {
      ...shared,
      summary: `Lists the recorded transitions of ${one} in all its machines, oldest first.`,
      answers: read(transitions, 'The transitions, each with its row of the table.'),
    },
    [`POST ${at}/look`]: {
      ...shared,
      summary: `Reconciles ${one} now.`,
      answers: { 200: said(done, 'A pass is requested.') },
    },
  };
  return routes;
};
