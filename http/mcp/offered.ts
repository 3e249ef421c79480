import type { CallerIdentity, Description } from './caller.ts';
import type { Tool } from './tool.ts';

/** What was allowed when the server was started. */
export interface Allowed {
  readonly readOnly: boolean;
  readonly deletion: boolean;
}

/** The caller as the description names it. */
export const callerOf = ({ role, scope }: Pick<CallerIdentity, 'role' | 'scope'>): string =>
  scope === 'project' ? 'project token' : `${role} token`;

/** A route without the names of its path values, which are the server's own. */
const plain = (method: string, path: string): string => `${method.toUpperCase()} ${path.replace(/\{[^}]*\}/g, '{}')}`;

const isGrant = (word: string | undefined): boolean => word !== undefined && !/^\d+$/.test(word);

/** The routes that a caller may use. */
export const granted = ({ paths }: Description, caller: string): ReadonlySet<string> =>
  new Set(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, operation]) => isGrant(operation['x-callers']?.[caller]))
        .map(([method]) => plain(method, path)),
    ),
  );

const mayBeUsed = ({ does, deletes }: Tool, { readOnly, deletion }: Allowed): boolean =>
  (does === 'reads' || !readOnly) && (deletes !== true || deletion);

/**
 * The tools that a caller is offered: each route of a tool must be granted, so that rights are listed nowhere but in the
 * description, and a server that lacks a route has no tool for it.
 */
export function offered(tools: readonly Tool[], routes: ReadonlySet<string>, allowed: Allowed): readonly Tool[] {
  const isGranted = (route: string): boolean => {
    const [method = '', path = ''] = route.split(' ');
    return routes.has(plain(method, path));
  };
  return tools.filter((tool) => mayBeUsed(tool, allowed) && tool.routes.every(isGranted));
}
