import { keepOpen, type Link } from './keepOpen.ts';
import type { SseMessage } from './sse.ts';

/** The messages of the tab that reads the stream to the others. `previous` is the preceding id, which reveals gaps. */
type TabMessage =
  | { readonly is: 'message'; readonly previous: string; readonly message: SseMessage }
  | { readonly is: 'link'; readonly link: Link }
  | { readonly is: 'asked' };

interface Tab {
  readonly path: string;
  readonly onLink: (link: Link) => void;
  readonly onMessage: (message: SseMessage) => void;
  /** Called when messages were missed and everything has to be reloaded. */
  readonly onGap: () => void;
}

const lockName = 'core-events';

/**
 * One stream for all tabs of a browser: the visible tab that holds the lock reads it and forwards the messages. A tab
 * that becomes hidden releases the lock, so without a visible tab there is no stream. Without locks each tab has its
 * own.
 */
export function shareStream({ path, onLink, onMessage, onGap }: Tab): () => void {
  const channel = 'BroadcastChannel' in globalThis && 'locks' in navigator ? new BroadcastChannel(lockName) : null;
  let lastId = '';
  let leading: AbortController | null = null;
  let link: Link = { is: 'connecting' };
  let reading = false;

  const post = (message: TabMessage) => channel?.postMessage(message);
  const setLink = (next: Link) => {
    link = next;
    onLink(next);
  };
  const take = (message: SseMessage) => {
    if (message.id !== '') lastId = message.id;
    onMessage(message);
  };

  const lead = async (signal: AbortSignal) => {
    reading = true;
    await keepOpen({
      path,
      lastId: () => lastId,
      signal,
      network: window,
      onLink: (next) => {
        setLink(next);
        post({ is: 'link', link: next });
      },
      onMessage: (message) => {
        post({ is: 'message', previous: lastId, message });
        take(message);
      },
    });
    reading = false;
  };

  /** An aborted wait for the lock throws. */
  const leadUntil = async (mine: AbortController) => {
    try {
      if (channel) await navigator.locks.request(lockName, { signal: mine.signal }, () => lead(mine.signal));
      else await lead(mine.signal);
    } catch (error) {
      if (!mine.signal.aborted) throw error;
    } finally {
      if (leading === mine) leading = null;
    }
  };

  const start = () => {
    if (leading) return;
    const mine = new AbortController();
    leading = mine;
    if (link.is === 'hidden') setLink({ is: 'connecting' });
    void leadUntil(mine);
    post({ is: 'asked' });
  };

  const stop = () => {
    leading?.abort();
    leading = null;
  };

  const markSeen = () => {
    if (document.visibilityState === 'visible') return start();
    stop();
    setLink({ is: 'hidden' });
  };

  channel?.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => {
    if (data.is === 'asked') {
      if (reading) post({ is: 'link', link });
    } else if (data.is === 'link') {
      if (link.is !== 'hidden') setLink(data.link);
    } else {
      if (lastId !== '' && data.message.id !== '' && data.previous !== lastId) onGap();
      take(data.message);
    }
  });
  document.addEventListener('visibilitychange', markSeen);
  markSeen();

  return () => {
    document.removeEventListener('visibilitychange', markSeen);
    stop();
    channel?.close();
  };
}
