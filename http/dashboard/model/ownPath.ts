const notPages = ['/api', '/assets', '/sign-in', '/webhooks', '/core-probe'];
const here = 'http://here.invalid';

/**
 * The page to open after sign-in: a page of the dashboard, or the first one for an address that leads elsewhere. It
 * parses like browsers, which drop tabs and line ends and read a backslash as a slash.
 */
export function ownPath(to: string | null): string {
  if (to === null || !to.startsWith('/') || !URL.canParse(to, here)) return '/';
  const { origin, pathname, search, hash } = new URL(to, here);
  const isPage = !notPages.some((path) => pathname === path || pathname.startsWith(`${path}/`));
  return origin === here && isPage && !pathname.startsWith('//') ? `${pathname}${search}${hash}` : '/';
}
