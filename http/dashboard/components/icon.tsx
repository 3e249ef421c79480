import { strokeOf } from './iconPaths.ts';
import type { Sign as SignName } from '../model/state.ts';

interface SignProps {
  readonly name: SignName;
  readonly size?: number;
}

/** The small icon beside a word; screen readers skip it. */
export const Sign = ({ name, size = 14 }: SignProps) => (
  <svg class="state-sign" width={size} height={size} viewBox="0 0 14 14" aria-hidden="true">
    <path {...strokeOf(name)} />
  </svg>
);
