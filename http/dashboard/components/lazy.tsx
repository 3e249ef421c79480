import { signal } from '@preact/signals';
import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { link } from '../store/live.ts';
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
      (page) => void (code.value = { is: 'loaded', page }),
      () => void (code.value = { is: 'failed' }),
    );
  const again = async () => {
    await start();
    // A server that is there and does not have the file is a newer one.
    if (code.peek().is === 'failed' && isLive()) location.reload();
  };
  return function Lazy(props: P) {
    const isThere = isLive();
    useEffect(() => {
      const { is } = code.peek();
      if (is === 'absent' || (is === 'failed' && isThere)) void start();
    }, [isThere]);
    const is = code.value;
    if (is.is === 'loaded') return <is.page {...props} />;
    const rest = is.is === 'failed' ? <NotLoaded onAgain={() => void again()} /> : <Skeleton height={height} />;
    return around({ children: rest });
  };
}

/** A part of a page whose code is loaded when it is first shown; meanwhile it takes this height. */
export const lazyPart = <P extends object>(load: () => Promise<ComponentType<P>>, height?: number): ComponentType<P> =>
  lazyIn(({ children }) => children, load, height);

const isLive = () => link.value.is === 'live';

const NotLoaded = ({ onAgain }: { readonly onAgain: () => void }) => (
  <Note tone="bad">
    This part of the dashboard could not be loaded. Loading is retried once the server is back.{' '}
    <button class="button button-small" type="button" onClick={onAgain}>
      Try again
    </button>
  </Note>
);
