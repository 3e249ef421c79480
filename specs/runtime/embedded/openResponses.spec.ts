import { EventEmitter } from 'node:events';
import * as assert from 'uvu/assert';
import { createOpenResponses } from '../../../runtime/embedded/openResponses.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('limits of the open responses of a caller');

/** A response of which so much was not taken yet. */
class Response extends EventEmitter {
  destroyed = false;
  writableLength: number;
  constructor(unsent: number) {
    super();
    this.writableLength = unsent;
  }
  destroy() {
    this.destroyed = true;
    this.emit('close');
    return this;
  }
}
const add = (held: ReturnType<typeof createOpenResponses>, caller: string, unsent: number) => {
  const response = new Response(unsent);
  held.add(caller, response as never);
  return response;
};

spec('a caller over its limit of streams is refused until one closes, and others are not', () => {
  const held = createOpenResponses({ mostStreams: 2, mostUnsent: 100 });
  const stream = (caller: string, response = new Response(0)) => held.addStream(caller, response as never);
  const first = new Response(0);
  assert.equal([stream('one', first), stream('one'), stream('one'), stream('two')], [true, true, false, true]);
  first.emit('close');
  assert.equal([stream('one'), stream('one')], [true, false]);
});

spec('a response that is also a stream is counted once', () => {
  const held = createOpenResponses({ mostStreams: 2, mostUnsent: 100 });
  const response = new Response(60);
  held.add('one', response as never);
  held.addStream('one', response as never);
  held.check('one');
  assert.not(response.destroyed);
});

spec('the slowest responses of a caller with too much unsent data are ended, and those of others are not', () => {
  const held = createOpenResponses({ mostStreams: 10, mostUnsent: 100 });
  const mine = [30, 50, 20].map((unsent) => add(held, 'one', unsent));
  const others = [40, 50].map((unsent) => add(held, 'two', unsent));
  held.check('one');
  assert.not(mine.some(({ destroyed }) => destroyed));
  if (mine[2]) mine[2].writableLength = 90;
  held.check('one');
  assert.equal(
    mine.map(({ destroyed }) => destroyed),
    [false, false, true],
  );
  // Also where somebody only asks for more.
  if (mine[0]) mine[0].writableLength = 60;
  add(held, 'one', 0);
  assert.ok(mine[0]?.destroyed);
  assert.not([mine[1], ...others].some((one) => one?.destroyed));
});

spec.run();
