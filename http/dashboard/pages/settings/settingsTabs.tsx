import { settingsPages } from '../../words/settingsPages.ts';

interface SettingsTabsProps {
  readonly current: (typeof settingsPages)[number]['page'];
}

/** The pages of the platform's settings. */
export const SettingsTabs = ({ current }: SettingsTabsProps) => (
  <nav class="tabs" aria-label="Settings">
    {settingsPages.map(({ page, word, to }) => (
      <a key={page} href={to} aria-current={page === current ? 'page' : undefined}>
        {word}
      </a>
    ))}
  </nav>
);
