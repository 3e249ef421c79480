import * as assert from 'uvu/assert';
import * as fc from 'fast-check';
import { type SseMessage, sseParser } from '../../../http/dashboard/stream/sse.ts';
import { suite } from '../../support/suite.ts';

const sse = suite('the reader of server-sent events');

function parse(chunks: readonly string[]): SseMessage[] {
  const messages: SseMessage[] = [];
  const push = sseParser((message) => messages.push(message));
  chunks.forEach(push);
  return messages;
}

sse('reads id, event and data', () => {
  assert.equal(parse(['id: 7.u.1\nevent: move\ndata: {"a":1}\n\n']), [{ id: '7.u.1', event: 'move', data: '{"a":1}' }]);
});

sse('keeps the newest id for messages without one, joins data lines, names the nameless', () => {
  assert.equal(parse(['id: 1\ndata: a\ndata:b\n\n', 'data:  c\n\n']), [
    { id: '1', event: 'message', data: 'a\nb' },
    { id: '1', event: 'message', data: ' c' },
  ]);
});

sse('passes over comments, unknown fields, and blocks without data', () => {
  assert.equal(parse([': alive\n\nretry: 5\nevent: lost\n\ndata: x\n\n']), [{ id: '', event: 'message', data: 'x' }]);
});

sse('a block that was not ended is no message', () => {
  assert.equal(parse(['data: half\n']), []);
});

const text = '\uFEFFid: 1\nevent: move\ndata: {"to":"Running"}\n\n: tick\n\nid: 2\ndata: a\ndata: b\n\n';
const whole = parse([text]);

sse('any cutting and any kind of line end give the same messages', () => {
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
