import { builtIn } from './kinds/builtIn.ts';
import { StatusError, noSuchPath } from './status.ts';

const groups = new Set(builtIn.map(({ group }) => group));

/** The 404 of an unknown path: a `Status` below a built-in group, plain text elsewhere. */
export function nothingThere(path: string): StatusError {
  const [root, group = ''] = path.split('/').filter((part) => part !== '');
  const isBuiltIn = root === 'api' || (root === 'apis' && groups.has(group));
  return isBuiltIn
    ? new StatusError(404, 'NotFound', 'the server could not find the requested resource', {})
    : noSuchPath();
}
