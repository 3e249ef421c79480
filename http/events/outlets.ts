import type { View } from '../../rules/access/needs.ts';

type Listener = (chunks: string) => void;

/** The streams of each view; the text for a view is written once for all its readers. */
export interface Outlets {
  /** The views that have listeners. */
  readonly heard: () => readonly View[];
  readonly send: (view: View, piece: string) => void;
  readonly subscribe: (view: View, listener: Listener) => () => void;
  readonly close: () => void;
}

interface Outlet {
  readonly listeners: Set<Listener>;
  waiting: string[];
}

export function makeOutlets(): Outlets {
  const outlets: Readonly<Record<View, Outlet>> = { whole: outlet(), observer: outlet(), viewer: outlet() };
  const views = Object.keys(outlets) as readonly View[];
  return {
    heard: () => views.filter((view) => outlets[view].listeners.size > 0),
    send: (view, piece) => {
      const to = outlets[view];
      if (to.listeners.size === 0) return;
      if (to.waiting.length === 0) setImmediate(flush, to);
      to.waiting.push(piece);
    },
    subscribe: (view, listener) => {
      const { listeners } = outlets[view];
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close: () => {
      for (const { listeners } of Object.values(outlets)) listeners.clear();
    },
  };
}

const outlet = (): Outlet => ({ listeners: new Set(), waiting: [] });

/** Events of one event loop turn go out in one write. */
function flush(outlet: Outlet): void {
  const chunks = outlet.waiting.join('');
  outlet.waiting = [];
  for (const listener of outlet.listeners) listener(chunks);
}
