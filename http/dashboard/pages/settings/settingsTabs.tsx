import { addressOf, platformPages } from '../../routes.ts';
import { platformWords } from '../../words/platform.ts';

const pages = [
  ...platformPages.map((page) => [page, platformWords[page], addressOf.platform(page)] as const),
  ['databases', 'Databases', addressOf.sharedServers()],
  ['users', 'Users', addressOf.users()],
  ['tokens', 'Tokens', addressOf.tokens()],
  ['commandLine', 'Command line', addressOf.commandLine()],
] as const;

/** The pages of the platform's settings. */
export const SettingsTabs = ({ current }: { readonly current: (typeof pages)[number][0] }) => (
  <nav class="tabs" aria-label="Settings">
    {pages.map(([page, word, to]) => (
      <a key={page} href={to} aria-current={page === current ? 'page' : undefined}>
        {word}
      </a>
    ))}
  </nav>
);
