import { nodePlacementOf } from '../../../rules/database/nodePlacement.ts';
import type { TaggedDatabase } from '../../../rules/node/tags.ts';
import type { CacheReader } from '../../cache/reader.ts';
import { databases } from '../../kinds.ts';

/** The databases whose data stay on nodes with tags that their projects require. */
export const taggedDatabases = (reader: CacheReader): readonly TaggedDatabase[] =>
  reader.list(databases).flatMap((database): readonly TaggedDatabase[] => {
    const placement = nodePlacementOf(database);
    if (placement === null || placement.required.length === 0) return [];
    const { region, required } = placement;
    return [{ name: database.metadata.name, project: database.spec.project ?? '', region, tags: required }];
  });
