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
  let data: string[] = [];

  const take = (line: string): void => {
    const colon = line.indexOf(':');
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (name === 'data') data.push(value);
    else if (name === 'event') event = value;
    else if (name === 'id') id = value;
  };

  return (part) => {
    const lines = (rest + decoder.write(part)).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > longest) throw new Error('an event is too long');
    const found: ApiEvent[] = [];
    for (const whole of lines) {
      const line = whole.endsWith('\r') ? whole.slice(0, -1) : whole;
      if (line !== '') take(line);
      else if (data.length > 0) {
        found.push({ id, event: event || 'message', data: data.join('\n') });
        [data, event] = [[], ''];
      }
    }
    return found;
  };
}
