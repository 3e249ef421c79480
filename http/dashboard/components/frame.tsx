import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Read } from '../../api.ts';
import { useProjects } from '../kindPages/lists.ts';
import { path, route } from '../router.ts';
import type { Place, Route } from '../routes.ts';
import { useLoaded } from '../store/loaded.ts';
import { zoneWord } from '../model/time.ts';
import { crumbsOf } from '../model/crumbs.ts';
import { Breadcrumb } from './frame/breadcrumb.tsx';
import { ProjectBar } from './frame/projectBar.tsx';
import { pathTo } from '../api.ts';
import type { TypedPath } from '../model/routeAnswers.ts';

/** The page that has or awaits the focus, because only a change of page moves it. */
let focused: { readonly path: string; readonly isDone: boolean } | null = null;

/** Moves the focus to the heading of a new page; until it has one, its content has the focus. */
function focusHeading(path: string, main: HTMLElement | null): void {
  focused ??= { path, isDone: true };
  if (focused.path === path && focused.isDone) return;
  const isNew = focused.path !== path;
  const heading = main?.querySelector('h1') ?? null;
  const isUntouched = document.activeElement === main || document.activeElement === document.body;
  focused = { path, isDone: heading !== null || (!isNew && !isUntouched) };
  if (!isNew && !isUntouched) return;
  if (heading) heading.tabIndex = -1;
  (heading ?? main)?.focus({ preventScroll: true });
}

interface FrameProps {
  /** Names the page, also in the window's title. */
  readonly title: string;
  /** The environment that the page is in, for the bar of its project. */
  readonly place?: Place;
  readonly children: ComponentChildren;
}

/** The frame of every page, below the top bar. */
export function Frame({ title, place, children }: FrameProps) {
  const main = useRef<HTMLElement>(null);
  const here = path.value;
  useEffect(() => {
    document.title = title === '' ? 'Core' : `${title} · Core`;
  }, [title]);
  useEffect(() => focusHeading(here, main.current));
  return (
    <>
      {place && <ProjectBar place={place} />}
      <main class="main" id="main" tabIndex={-1} ref={main}>
        {place ? <PlacedCrumbs route={route.value} /> : <Crumbs route={route.value} />}
        {children}
      </main>
      <footer class="foot muted small">Times are {zoneWord(Date.now())}.</footer>
    </>
  );
}

interface CrumbsProps {
  readonly route: Route;
}

const Crumbs = ({ route }: CrumbsProps) => (
  <Breadcrumb crumbs={crumbsOf(route, { projects: [], services: [], databases: [] })} />
);

/** Where the object that a page is about, or in, is read; pages of it read the same. */
function objectPath(route: Route): TypedPath<Read> | null {
  switch (route.is) {
    case 'service':
      return pathTo('GET /apps/{app}', { app: route.name });
    case 'build':
      return pathTo('GET /apps/{app}', { app: route.service });
    case 'database':
      return pathTo('GET /databases/{database}', { database: route.name });
    default:
      return null;
  }
}

const never = () => false;

/** The way to a page of a project, in the words of its people. */
function PlacedCrumbs({ route }: CrumbsProps) {
  const object = useLoaded(objectPath(route), never).value?.resource;
  const named = object ? [object] : [];
  const projects = useProjects().value?.items ?? [];
  return <Breadcrumb crumbs={crumbsOf(route, { projects, services: named, databases: named })} />;
}
