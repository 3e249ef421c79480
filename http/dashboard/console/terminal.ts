import { type Signal, signal } from '@preact/signals';
import { FitAddon } from '@xterm/addon-fit';
import { SearchAddon } from '@xterm/addon-search';
import { WebLinksAddon } from '@xterm/addon-web-links';
import { Terminal } from '@xterm/xterm';
import { api, write } from '../api.ts';
import { ackBytes, ackFrame, endWords, exitCodeIn, inputFrames, resizeFrame } from './frames.ts';

/** What a session is opened in. */
export interface ConsoleTarget {
  readonly app: string;
  readonly pod: string;
  readonly container: string;
  readonly command: readonly string[];
}

type ConsoleState =
  | { readonly is: 'connecting'; readonly target: ConsoleTarget }
  | { readonly is: 'open'; readonly target: ConsoleTarget; readonly session: string }
  | { readonly is: 'ended'; readonly target: ConsoleTarget; readonly why: string }
  | { readonly is: 'refused'; readonly target: ConsoleTarget; readonly error: string };

/** A terminal in the browser. It lives on while other pages are shown, because its element moves with it. */
export interface Console {
  readonly state: Signal<ConsoleState>;
  /** What there is to say of the last input; empty for nothing. */
  readonly note: Signal<string>;
  readonly term: Terminal;
  readonly search: SearchAddon;
  /** Shows it inside an element; the returned function takes it away again. */
  readonly showIn: (place: HTMLElement, onLeave: () => void) => () => void;
  readonly end: () => void;
}

const addressOf = (app: string, session: string): string => {
  const url = new URL(api.consoleSocket(app, session), location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url.href;
};

function xterm(): { readonly term: Terminal; readonly fit: FitAddon; readonly search: SearchAddon } {
  const term = new Terminal({ fontSize: 13, scrollback: 5_000, cursorBlink: false, allowProposedApi: true });
  const fit = new FitAddon();
  const search = new SearchAddon();
  term.loadAddon(fit);
  term.loadAddon(search);
  term.loadAddon(new WebLinksAddon());
  return { term, fit, search };
}

/** Carries a terminal over a WebSocket until one of the two ends. */
function converse(
  socket: WebSocket,
  term: Terminal,
  { note, ended }: { note: Signal<string>; ended: (why: string) => void },
): void {
  let shown = 0;
  let acknowledged = 0;
  let exit: number | null = null;
  socket.binaryType = 'arraybuffer';
  const send = (data: string | Uint8Array<ArrayBuffer>) => {
    if (socket.readyState === WebSocket.OPEN) socket.send(data);
  };
  const acknowledge = (bytes: number) => {
    shown += bytes;
    if (shown - acknowledged < ackBytes) return;
    acknowledged = shown;
    send(ackFrame(shown));
  };
  const listeners = [
    term.onData((text) => {
      const { frames, isCut } = inputFrames(text);
      frames.forEach(send);
      note.value = isCut ? 'Only the first MiB of the paste was sent.' : '';
    }),
    term.onResize(({ cols, rows }) => send(resizeFrame(cols, rows))),
  ];
  socket.addEventListener('open', () => {
    send(ackFrame(0));
    send(resizeFrame(term.cols, term.rows));
  });
  socket.addEventListener('message', ({ data }: MessageEvent<ArrayBuffer | string>) => {
    if (typeof data === 'string') return void (exit = exitCodeIn(data) ?? exit);
    const bytes = new Uint8Array(data);
    term.write(bytes, () => acknowledge(bytes.length));
  });
  socket.addEventListener('close', ({ code, reason }) => {
    for (const listener of listeners) listener.dispose();
    ended(endWords(code, reason, exit));
  });
}

/** Opens a session in a pod and a terminal on it. */
export function openConsole(target: ConsoleTarget): Console {
  const { term, fit, search } = xterm();
  const state = signal<ConsoleState>({ is: 'connecting', target });
  const note = signal('');
  const host = document.createElement('div');
  host.className = 'terminal-host';
  let socket: WebSocket | null = null;
  let isOver = false;

  const connect = async (): Promise<void> => {
    const { app, pod, container, command } = target;
    const created = await write('POST /apps/{app}/console/create', { app }, { pod, container, command });
    if (isOver) return;
    if (created.is !== 'ok') return void (state.value = { is: 'refused', target, error: created.error });
    const { session } = created.value;
    socket = new WebSocket(addressOf(app, session));
    socket.addEventListener('open', () => (state.value = { is: 'open', target, session }));
    converse(socket, term, { note, ended: (why) => (state.value = { is: 'ended', target, why }) });
  };
  void connect();

  return {
    state,
    note,
    term,
    search,
    showIn: (place, onLeave) => {
      place.append(host);
      if (term.element === undefined) term.open(host);
      term.attachCustomKeyEventHandler((event) => {
        if (event.key !== 'Escape' || !event.ctrlKey || !event.shiftKey) return true;
        onLeave();
        return false;
      });
      const resized = new ResizeObserver(() => fit.fit());
      resized.observe(place);
      term.focus();
      return () => {
        resized.disconnect();
        host.remove();
      };
    },
    end: () => {
      isOver = true;
      socket?.close(1000);
      if (state.peek().is === 'connecting') state.value = { is: 'ended', target, why: 'Not connected.' };
    },
  };
}
