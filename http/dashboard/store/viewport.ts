import { signal } from '@preact/signals';

/** The width under which a row becomes two lines; the style sheets have the same. */
const query = '(max-width: 700px)';

/** Whether the window is that narrow. */
export const isNarrowViewport = signal(false);

/** Follows the width of the window. */
export function startViewport(): void {
  const width = matchMedia(query);
  const measure = () => (isNarrowViewport.value = width.matches);
  width.addEventListener('change', measure);
  measure();
}
