import { StringDecoder } from 'node:string_decoder';

/** One server-sent event. */
export interface ApiEvent {
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

/** No event of the API is nearly as long. */
const longest = 16 * 1024 * 1024;

/** Reads a stream of events as it comes: those that each part completes. Comments, the heartbeat, are none. */
export function eventReader(): (part: Buffer) => readonly ApiEvent[] {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  let id = '';
  let event = '';
  let data: string | null = null;

  const take = (line: string): void => {
    const colon = line.indexOf(':');
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (name === 'data') data = data === null ? value : `${data}\n${value}`;
    else if (name === 'event') event = value;
    else if (name === 'id') id = value;
  };

  return (part) => {
    const text = rest + decoder.write(part);
    const found: ApiEvent[] = [];
    let from = 0;
    for (let to = text.indexOf('\n'); to !== -1; to = text.indexOf('\n', from)) {
      const line = text.slice(from, text[to - 1] === '\r' && to > from ? to - 1 : to);
      from = to + 1;
      if (line !== '') take(line);
      else if (data !== null) {
        found.push({ id, event: event || 'message', data });
        [data, event] = [null, ''];
      }
    }
    rest = text.slice(from);
    if (rest.length > longest) throw new Error('an event is too long');
    return found;
  };
}
