import { posix } from 'node:path';

/**
 * The directory and file of a build, both relative to the repository's root; or that the path leaves the repository.
 */
export type SourcePath =
  { readonly is: 'inside'; readonly context: string; readonly buildfile: string } | { readonly is: 'leaves' };

const fromRoot = (path: string) => {
  const inside = posix.normalize(path.replace(/^\/+/, ''));
  return inside === '.' ? '' : inside.replace(/\/$/, '');
};
const leaves = (path: string) => path === '..' || path.startsWith('../');

/**
 * A leading slash of `context` means the repository's root. `buildfile` is relative to the context; one that already
 * starts with the context is relative to the root (000 CoreBuild, Spec).
 */
export function sourcePath(context: string, buildfile: string): SourcePath {
  const directory = fromRoot(context);
  const recipe = fromRoot(buildfile === '' ? 'Buildfile' : buildfile);
  if (leaves(directory)) return { is: 'leaves' };
  const named = directory !== '' && recipe.startsWith(`${directory}/`) ? recipe : posix.join(directory, recipe);
  return leaves(named) ? { is: 'leaves' } : { is: 'inside', context: directory, buildfile: named };
}
