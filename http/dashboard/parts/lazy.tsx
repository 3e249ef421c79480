import { signal } from '@preact/signals';
import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { Note, Skeleton } from './note.tsx';

type Code<P> = { readonly is: 'absent' | 'failed' } | { readonly is: 'loaded'; readonly page: ComponentType<P> };

const usualHeight = 480;

/** A part of the dashboard whose code is loaded when it is first shown; meanwhile `around` has its place. */
export function lazyIn<P extends object>(
  around: (props: { readonly children: ComponentChildren }) => ComponentChildren,
  load: () => Promise<ComponentType<P>>,
  height = usualHeight,
): ComponentType<P> {
  const code = signal<Code<P>>({ is: 'absent' });
  const start = () =>
    load().then(
      (page) => (code.value = { is: 'loaded', page }),
      () => (code.value = { is: 'failed' }),
    );
  return function Lazy(props: P) {
    useEffect(() => {
      if (code.peek().is !== 'loaded') void start();
    }, []);
    const is = code.value;
    if (is.is === 'loaded') return <is.page {...props} />;
    return around({ children: is.is === 'failed' ? <NotLoaded /> : <Skeleton height={height} /> });
  };
}

/** A part of a page whose code is loaded when it is first shown; meanwhile it takes this height. */
export const lazyPart = <P extends object>(load: () => Promise<ComponentType<P>>, height?: number): ComponentType<P> =>
  lazyIn(({ children }) => children, load, height);

/** A newer server may have replaced its files. */
const NotLoaded = () => (
  <Note tone="bad">
    This part of the dashboard could not be loaded.{' '}
    <button class="button button-small" type="button" onClick={() => location.reload()}>
      Try again
    </button>
  </Note>
);
