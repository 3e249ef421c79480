import type { Settings } from '../../../api.ts';

/** What each page of the platform's settings is given. */
export interface PlatformViewProps {
  readonly settings: Settings;
  readonly onSaved: () => void;
}
