import type { DatabaseSurroundings } from './facts.ts';

/** Where a database may run, as text: its region and every tag a node needs. */
export function placeText({ region, tags }: Pick<DatabaseSurroundings, 'region' | 'tags'>): string {
  const where = region === '' ? 'the cluster' : `the ${region} region`;
  return tags.length === 0 ? where : `${where} with the tags ${tags.join(', ')}`;
}
