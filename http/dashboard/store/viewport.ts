import { signal } from '@preact/signals';

/** The width under which a row becomes two lines; the style sheets have the same. */
const query = '(max-width: 700px)';

/** Whether the window is that narrow. */
export const isNarrow = signal(false);

/** Follows the width of the window. */
export function startNarrow(): void {
  const width = matchMedia(query);
  const measure = () => (isNarrow.value = width.matches);
  width.addEventListener('change', measure);
  measure();
}
