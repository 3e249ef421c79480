/** One message of a server-sent event stream; `id` is the last id received so far. */
export interface SseMessage {
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

/** Parses server-sent events from text that arrives in arbitrary pieces. */
export function sseParser(onMessage: (message: SseMessage) => void): (chunk: string) => void {
  let rest = '';
  let started = false;
  let id = '';
  let event = '';
  let data: string[] = [];

  const dispatch = () => {
    if (data.length > 0) onMessage({ id, event: event === '' ? 'message' : event, data: data.join('\n') });
    event = '';
    data = [];
  };

  const take = (line: string) => {
    if (line === '') return dispatch();
    const colon = line.indexOf(':');
    if (colon === 0) return;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') event = value;
    else if (field === 'data') data.push(value);
    else if (field === 'id' && !value.includes('\0')) id = value;
  };

  return (chunk) => {
    rest += chunk;
    if (!started && rest !== '') {
      rest = rest.replace(/^\uFEFF/, '');
      started = true;
    }
    // A CR at the very end may be the first half of a CRLF, so it waits for the next piece.
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    lines.forEach(take);
  };
}
