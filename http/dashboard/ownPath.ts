const notPages = ['/api', '/assets', '/sign-in', '/webhooks', '/core-probe'];
const here = 'http://here.invalid';

/**
 * Where to go on to after signing in: a page of the dashboard, or the first one for anything that leads elsewhere. It
 * is read as browsers do, which drop tabs and line ends and take a backslash for a slash.
 */
export function ownPath(to: string | null): string {
  if (to === null || !to.startsWith('/') || !URL.canParse(to, here)) return '/';
  const { origin, pathname, search, hash } = new URL(to, here);
  const isPage = !notPages.some((path) => pathname === path || pathname.startsWith(`${path}/`));
  return origin === here && isPage && !pathname.startsWith('//') ? `${pathname}${search}${hash}` : '/';
}
