import type { ComponentType } from 'preact';
import { Frame } from './frame.tsx';
import { lazyIn } from './lazy.tsx';

/** A page whose code is loaded when it is first shown. */
export const lazyPage = <P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> =>
  lazyIn(({ children }) => <Frame title="">{children}</Frame>, load);
