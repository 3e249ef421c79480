import { type Call, isTrue } from '../call.ts';
import { verbOfMethod } from './method.ts';

/** The verb of a request, as discovery and roles name it. */
export function verbOf({ request, name, query }: Pick<Call, 'request' | 'name' | 'query'>): string {
  const { method = 'GET' } = request;
  if (name === null && method === 'GET') return isTrue(query.get('watch')) ? 'watch' : 'list';
  if (name === null && method === 'DELETE') return 'deletecollection';
  return verbOfMethod[method] ?? method.toLowerCase();
}
