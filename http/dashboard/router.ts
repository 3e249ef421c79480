import { computed, signal } from '@preact/signals';
import { readRoute, redirectOf, type Route } from './routes.ts';

interface Address {
  readonly path: string;
  readonly search: string;
  readonly hash: string;
}

/** A parsed address; a short one is taken for the one that it leads to. */
function addressAt({ pathname, search, hash }: URL | Location): Address {
  const to = redirectOf(pathname, search);
  const full = to === null ? { pathname, search } : new URL(to, location.origin);
  return { path: full.pathname, search: full.search, hash };
}

const textOf = ({ path, search, hash }: Address): string => `${path}${search}${hash}`;

/** The address as the browser has it. */
function here(): Address {
  const is = addressAt(location);
  if (location.pathname !== is.path) history.replaceState(null, '', textOf(is));
  return is;
}

/** The current address of the browser. */
export const address = signal<Address>(here());

/** The path of the current address: what follows it changes with each key in a filter. */
export const path = computed(() => address.value.path);

const routeText = computed(() => JSON.stringify(readRoute(path.value, address.value.search)));

/** The current page: the same object as long as the address names the same page. */
export const route = computed(() => JSON.parse(routeText.value) as Route);

/** Why the page should not be left, by what is not saved. */
const held = new Set<{ readonly why: string }>();

const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();

/** Asks before the page is left, because something on it is not saved; returns a function that ends that. */
export function holdPage(why: string): () => void {
  const mine = { why };
  held.add(mine);
  addEventListener('beforeunload', onUnload);
  return () => {
    held.delete(mine);
    if (held.size === 0) removeEventListener('beforeunload', onUnload);
  };
}

const mayLeave = (): boolean =>
  held.size === 0 || confirm(`${[...held].map(({ why }) => why).join(' ')} Leave and lose it?`);

let isLate = false;

/** Gives the browser the address, where it does not have it yet. */
function catchUp(): void {
  if (isLate) history.replaceState(null, '', textOf(address.peek()));
  isLate = false;
}

/** The browser takes longer for an address than the page for a key in a filter, so it hears of it after the paint. */
function replaceSoon(): void {
  if (!isLate) requestAnimationFrame(() => setTimeout(catchUp));
  isLate = true;
}

/** Opens an address of the dashboard; `replace` adds no entry to the browser's history. */
export function go(to: string, how: 'push' | 'replace' = 'push'): void {
  const before = address.peek();
  const next = addressAt(new URL(to, `${location.origin}${textOf(before)}`));
  if (how === 'push') {
    catchUp();
    history.pushState(null, '', textOf(next));
  } else if (next.path === before.path) replaceSoon();
  else history.replaceState(null, '', textOf(next));
  address.value = next;
  if (before.path !== next.path) scrollTo(0, 0);
}

/** The address of a view of the page on screen. */
export const viewHere = (view: string): string => `${address.value.path}${view === '' ? '' : `?view=${view}`}`;

/** Opens another page, unless somebody wants to save first. */
export function visit(to: string): void {
  if (mayLeave()) go(to);
}

/** The browser has already gone back: whoever stays gets the address of the page again. */
function onPopState(): void {
  const is = address.peek();
  isLate = false;
  if (location.pathname === is.path || mayLeave()) address.value = here();
  else history.pushState(null, '', textOf(is));
}

const isPlainClick = (event: MouseEvent) =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey && !event.defaultPrevented;

function isOurs(link: HTMLAnchorElement | SVGAElement): boolean {
  if (link instanceof SVGAElement) return true;
  const { origin, pathname } = new URL(link.href);
  return origin === location.origin && link.target === '' && !link.hasAttribute('download') && !isServed(pathname);
}

const isServed = (path: string) => path.startsWith('/api/') || path.startsWith('/assets/');

/** Handles clicks on links inside the page, so that links stay plain links. */
export function startRouter(): void {
  addEventListener('popstate', onPopState);
  addEventListener('hashchange', () => (address.value = here()));
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement | SVGAElement>('a') : null;
    const to = link?.getAttribute('href');
    if (!link || to === null || to === undefined || to.startsWith('#') || !isPlainClick(event) || !isOurs(link)) return;
    event.preventDefault();
    visit(to);
  });
}
