import { Tabs } from '../tabs.tsx';
import { settingsPages } from '../../model/settingsPages.ts';

interface SettingsTabsProps {
  readonly current: (typeof settingsPages)[number]['page'];
}

/** The pages of the platform's settings. */
export const SettingsTabs = ({ current }: SettingsTabsProps) => (
  <Tabs
    label="Settings"
    tabs={settingsPages.map(({ page, label, to }) => ({ label, to, isCurrent: page === current }))}
  />
);
