import { Optional as optional, type TSchema, Type } from '@sinclair/typebox';
import { text } from './kit.ts';
import { read } from './schema.ts';

/** The query of a page of a list. */
export const pageQuery = {
  limit: optional(Type.Integer({ minimum: 1, maximum: 1000, description: 'At most this many; all when left out.' })),
  continue: optional(
    text('`continue` of the page before, within five minutes; only `limit` may differ from what was asked then.'),
  ),
};

/** The query of a list whose items have names. */
export const searchQuery = {
  search: optional(Type.String({ maxLength: 200, description: 'A text that the name or the display name contains.' })),
  remaining: optional(Type.Boolean({ description: 'Whether to answer how many come after these.' })),
  ...pageQuery,
};

/** The query of a list of resources. */
export const resourceQuery = {
  state: optional(text('One or more states, separated by commas.')),
  ...searchQuery,
};

/** The query of a list of what belongs to an environment. */
export const placeQuery = {
  project: optional(text('Only those of this project.')),
  environment: optional(text('Only those of environments with this name.')),
};

/** The same of resources. */
export const placedQuery = {
  ...placeQuery,
  ...resourceQuery,
};

/** The same for what is deployed, and may wait for that. */
export const deployedQuery = {
  ...placedQuery,
  waiting: optional(
    Type.Boolean({
      description: 'Only those with saved changes that wait for a deploy, drafts among them; or only others.',
    }),
  ),
};

/** The same for kinds whose servers may belong to no project. */
export const sharedQuery = {
  ...deployedQuery,
  shared: optional(Type.Boolean({ description: 'Only servers that all projects share; or only others.' })),
};

export const continued = optional(text('Leads to the next page of a list; absent at its end.'));

const remaining = optional(Type.Integer({ minimum: 0, description: 'How many come after these, where it is asked.' }));

/** Why `continue` leads nowhere. */
export const pageRefusals = { 410: 'The page before is older than five minutes: begin again without `continue`.' };

/** The answer of a list that is read whole, or in pages. */
export const pages = <S extends TSchema>(item: S, when: string, refusals: Readonly<Record<number, string>> = {}) => ({
  answers: read(Type.Object({ items: Type.Array(item), continue: continued, remaining }), when),
  refusals: { ...refusals, ...pageRefusals },
});

/** A list that is read whole, or one page of it. */
export interface Items<T> {
  readonly items: readonly T[];
  /** Leads to the next page of a list that was asked for with a limit; absent at the end. */
  readonly continue?: string;
  /** How many come after these, where it is asked. */
  readonly remaining?: number;
}
