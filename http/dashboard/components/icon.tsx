import { strokeOf } from './iconPaths.ts';
import type { Sign as SignName } from '../model/state.ts';

interface IconProps {
  readonly name: SignName;
  readonly size?: number;
}

/** The small icon beside a word; screen readers skip it. */
export const Icon = ({ name, size = 14 }: IconProps) => (
  <svg class="state-sign" width={size} height={size} viewBox="0 0 14 14" aria-hidden="true">
    <path {...strokeOf(name)} />
  </svg>
);
