import * as assert from 'uvu/assert';
import * as fc from 'fast-check';
import { type SseMessage, sseParser } from '../../../http/dashboard/stream/sse.ts';
import { suite } from '../../support/suite.ts';

const sse = suite('server-sent event parser');

function parse(chunks: readonly string[]): SseMessage[] {
  const messages: SseMessage[] = [];
  const push = sseParser((message) => messages.push(message));
  chunks.forEach(push);
  return messages;
}

sse('an event block is parsed into id, event and data', () => {
  assert.equal(parse(['id: 7.u.1\nevent: move\ndata: {"a":1}\n\n']), [{ id: '7.u.1', event: 'move', data: '{"a":1}' }]);
});

sse('a message inherits the last id, joins data lines and has the default event name', () => {
  assert.equal(parse(['id: 1\ndata: a\ndata:b\n\n', 'data:  c\n\n']), [
    { id: '1', event: 'message', data: 'a\nb' },
    { id: '1', event: 'message', data: ' c' },
  ]);
});

sse('comments, unknown fields and blocks without data are ignored', () => {
  assert.equal(parse([': alive\n\nretry: 5\nevent: lost\n\ndata: x\n\n']), [{ id: '', event: 'message', data: 'x' }]);
});

sse('an incomplete block gives no message', () => {
  assert.equal(parse(['data: half\n']), []);
});

const text = '\uFEFFid: 1\nevent: move\ndata: {"to":"Running"}\n\n: tick\n\nid: 2\ndata: a\ndata: b\n\n';
const whole = parse([text]);

sse('chunk boundaries and line ends do not change the messages', () => {
  const cuts = fc.array(fc.nat({ max: text.length * 2 }), { maxLength: 12 });
  fc.assert(
    fc.property(cuts, fc.constantFrom('\n', '\r\n', '\r'), (at, lineEnd) => {
      const sent = text.replaceAll('\n', lineEnd);
      const places = [0, ...at.sort((a, b) => a - b), sent.length];
      const chunks = places.slice(1).map((end, index) => sent.slice(places[index], end));
      // A lone CR at the very end waits for what may be its LF.
      assert.equal(parse([...chunks, ': end']), whole);
    }),
  );
});

sse.run();
