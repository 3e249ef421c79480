import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

const lineIn = (hash: string): number => Number(/^#L(\d+)$/.exec(hash)?.[1] ?? 0);

/** The line that the address names, 0 for none, and how to take it out of the address. */
export function useAimedLine(): { readonly aimed: number; readonly forget: () => void } {
  const aimed = useSignal(lineIn(location.hash));
  useEffect(() => {
    const read = () => (aimed.value = lineIn(location.hash));
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, []);
  const forget = () => {
    if (aimed.peek() > 0) history.replaceState(null, '', location.pathname + location.search);
    aimed.value = 0;
  };
  return { aimed: aimed.value, forget };
}
