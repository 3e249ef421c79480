import { paletteShown } from '../../keys.ts';
import { Dialog } from '../dialog.tsx';
import { lazyIn } from '../lazy.tsx';

/** The palette, whose code is loaded when it is first opened. */
export const LazyPalette = lazyIn(
  ({ children }) => (
    <Dialog title="Search" look="palette" onClose={() => (paletteShown.value = false)}>
      {children}
    </Dialog>
  ),
  async () => (await import('./palette.tsx')).Palette,
);
