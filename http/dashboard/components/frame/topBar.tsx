import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { paletteShown } from './keys.ts';
import { path, route } from '../../router.ts';
import { identity, isAdmin } from '../../store/session.ts';
import { sectionOf, sectionsFor } from '../../model/sections.ts';
import { Brand } from '../brand.tsx';
import { LiveMark } from './liveMark.tsx';
import { UserMenu } from './userMenu.tsx';

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** The bar over every page: its sections, search, whether the page is live, and the user. */
export function TopBar() {
  const user = identity();
  const isOpen = useSignal(false);
  useEffect(() => {
    isOpen.value = false;
  }, [path.value]);
  const section = sectionOf(route.value);
  return (
    <header class="head" onKeyDown={(event) => event.key === 'Escape' && (isOpen.value = false)}>
      <div class="head-in">
        <a class="brand" href="/" aria-label="Core, home">
          <Brand />
          <span class="brand-word">Core</span>
        </a>
        <button
          type="button"
          class="button button-small menu-button"
          aria-expanded={isOpen.value}
          aria-controls="sections"
          onClick={() => (isOpen.value = !isOpen.value)}
        >
          Menu
        </button>
        <nav class="nav sections" id="sections" aria-label="Sections" data-open={isOpen.value}>
          {sectionsFor(isAdmin()).map(({ name, label, to }) => (
            <a key={name} href={to} aria-current={name === section ? 'page' : undefined}>
              {label}
            </a>
          ))}
        </nav>
        <div class="head-end">
          <button
            type="button"
            class="button button-small search-button"
            aria-haspopup="dialog"
            onClick={() => (paletteShown.value = true)}
          >
            Search <kbd aria-hidden="true">{isApple ? '⌘K' : 'Ctrl K'}</kbd>
          </button>
          <LiveMark />
          {user && <UserMenu user={user} />}
        </div>
      </div>
    </header>
  );
}
