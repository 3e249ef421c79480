import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { keysShown } from '../keys.ts';
import { address } from '../router.ts';
import { addressOf, type Place } from '../routes.ts';
import { identity, isAdmin } from '../store/session.ts';
import { nextTheme, theme } from '../theme.ts';
import { KeysDialog } from './keysDialog.tsx';
import { LiveMark } from './liveMark.tsx';
import { ProjectBar } from './projectBar.tsx';
import { UserMenu } from './userMenu.tsx';

/** The logo of the project. */
export const Brand = () => (
  <svg width="22" height="22" viewBox="0 0 16 16" aria-hidden="true">
    <rect width="16" height="16" rx="4" fill="var(--accent)" />
    <path
      d="M11 5.6A3.9 3.9 0 1 0 11 10.4"
      fill="none"
      stroke="var(--accent-ink)"
      stroke-width="2"
      stroke-linecap="round"
    />
  </svg>
);

const pages = [
  [addressOf.home(), 'Home', ['/']],
  [addressOf.services(), 'Services', ['/services', '/apps', '/projects']],
  [addressOf.machines(), 'State machines', ['/machines', '/builds', '/databases']],
] as const;
const settings = [addressOf.tokens(), 'Settings', ['/settings']] as const;

const isIn = (path: string, [start, ...more]: readonly string[]): boolean =>
  start !== undefined && (path === start || (start !== '/' && path.startsWith(`${start}/`)) || isIn(path, more));

function Head() {
  const { path } = address.value;
  const user = identity();
  const shown = isAdmin() ? [...pages, settings] : pages;
  return (
    <header class="head">
      <div class="head-in">
        <a class="brand" href="/" aria-label="Core, home">
          <Brand />
          Core
        </a>
        <nav class="nav" aria-label="Pages">
          {shown.map(([to, word, below]) => (
            <a key={to} href={to} aria-current={isIn(path, below) ? 'page' : undefined}>
              {word}
            </a>
          ))}
        </nav>
        <div class="head-end">
          <LiveMark />
          <button
            type="button"
            class="button button-small button-plain"
            onClick={() => (theme.value = nextTheme())}
            aria-label={`Theme: ${theme.value}. Change to ${nextTheme()}`}
          >
            <ThemeSign />
            <span class="theme-word">{theme.value}</span>
          </button>
          <button
            type="button"
            class="button button-small button-plain"
            aria-label="? Keyboard shortcuts"
            title="Keyboard shortcuts"
            onClick={() => (keysShown.value = true)}
          >
            <kbd>?</kbd>
          </button>
          {user && <UserMenu user={user} />}
        </div>
      </div>
    </header>
  );
}

const ThemeSign = () => (
  <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
    <circle cx="7" cy="7" r="5.2" fill="none" stroke="currentColor" stroke-width="1.6" />
    <path d="M7 1.8a5.2 5.2 0 0 1 0 10.4z" fill="currentColor" />
  </svg>
);

/** The previous page, because only a change of page moves the focus. */
let shownPath = '';

interface FrameProps {
  /** Names the page, also in the window's title. */
  readonly title: string;
  /** The environment that the page is in, for the bar of its project. */
  readonly place?: Place;
  readonly children: ComponentChildren;
}

/** The frame of every page. A new page moves the focus to its heading, for screen readers too. */
export function Frame({ title, place, children }: FrameProps) {
  const main = useRef<HTMLElement>(null);
  const { path } = address.value;
  useEffect(() => {
    document.title = title === '' ? 'Core' : `${title} · Core`;
  }, [title]);
  useEffect(() => {
    if (shownPath !== '' && shownPath !== path) main.current?.focus({ preventScroll: true });
    shownPath = path;
  }, [path]);
  return (
    <>
      <a class="skip" href="#main">
        To the content
      </a>
      <Head />
      {place && <ProjectBar place={place} />}
      <main class="main" id="main" tabIndex={-1} ref={main} style={{ outline: 'none' }}>
        {children}
      </main>
      {keysShown.value && <KeysDialog />}
    </>
  );
}
