import type { Read } from '../../../api.ts';

/** What each page of a project's settings is given. */
export interface SettingsViewProps {
  readonly read: Read;
  readonly onSaved: () => void;
}
