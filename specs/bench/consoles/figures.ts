import { startCommand } from '../../../rules/consoleSession/start.ts';
import type { Terminal } from '../../support/terminal.ts';
import { median } from '../measure.ts';
import type { BareTerminal } from './bareExec.ts';
import type { Memory } from './memoryOf.ts';
import type { Shop } from './shop.ts';

/** A terminal of either way, as a figure is taken of it. */
interface Way {
  readonly type: (text: string) => void;
  readonly listen: (output: (data: Buffer) => void) => void;
  readonly close: () => void;
}

const size = { cols: 80, rows: 24 };
const wait = (ms: number) => new Promise((go) => setTimeout(go, ms));

const wayOf = ({ socket, type, say }: Terminal): Way => {
  say({ resize: size });
  return {
    type,
    listen: (output) => socket.on('message', (data: Buffer, isBinary) => isBinary && output(data)),
    close: () => socket.close(),
  };
};
const bareWay = (terminal: BareTerminal): Way => {
  terminal.resize(size.cols, size.rows);
  return terminal;
};

const ours = async ({ create, attach }: Shop, command: readonly string[]): Promise<Way> =>
  wayOf(await attach(await create(command)));
const theirs = async ({ bare }: Shop, command: readonly string[]): Promise<Way> => bareWay(await bare(command));

const shareOf = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;

/** How long each of many keys takes until it is shown. */
async function echoes(way: Way): Promise<() => Promise<number>> {
  let heard = () => {};
  way.listen(() => heard());
  await wait(500);
  return () =>
    new Promise((done) => {
      const sentAt = performance.now();
      heard = () => done(performance.now() - sentAt);
      way.type('x');
    });
}

const keys = 1_000;

/** The round trip of a key, in turns with that of a bare client. */
export async function echoFigures(shop: Shop) {
  const ways = await Promise.all([ours(shop, ['cat']), theirs(shop, ['cat'])]);
  const [mine, bare] = await Promise.all(ways.map(echoes));
  if (!mine || !bare) throw new Error('no terminals');
  const times = { mine: [] as number[], bare: [] as number[] };
  for (let key = 0; key < keys; key++) {
    times.mine.push(await mine());
    times.bare.push(await bare());
    // A line of the terminal takes 4,096 characters.
    if (key % 1_000 === 999) for (const way of ways) way.type('\n');
  }
  for (const way of ways) way.close();
  return {
    p50: { mine: shareOf(times.mine, 0.5), bare: shareOf(times.bare, 0.5) },
    p99: { mine: shareOf(times.mine, 0.99), bare: shareOf(times.bare, 0.99) },
  };
}

const outputBytes = 64 * 1_024 * 1_024;
const outputCommand = ['head', '-c', String(outputBytes), '/dev/zero'];

/** Bytes a second, from the first on. */
async function rateOf(way: Way): Promise<number> {
  let bytes = 0;
  let firstAt = 0;
  await new Promise<void>((done) =>
    way.listen((data) => {
      if (bytes === 0) firstAt = performance.now();
      bytes += data.length;
      if (bytes >= outputBytes) done();
    }),
  );
  const seconds = (performance.now() - firstAt) / 1_000;
  way.close();
  return bytes / seconds;
}

/** The rate of a long output against that of a bare client, in turns. */
export async function outputFigures(shop: Shop) {
  const rates: { readonly mine: number; readonly bare: number }[] = [];
  for (let round = 0; round < 3; round++) {
    const bare = await rateOf(await theirs(shop, outputCommand));
    rates.push({ mine: await rateOf(await ours(shop, outputCommand)), bare });
  }
  return { ratio: median(rates.map(({ mine, bare }) => mine / bare)), rate: median(rates.map(({ mine }) => mine)) };
}

async function untilPrompt(begin: () => Promise<Way>): Promise<number> {
  const startedAt = performance.now();
  const way = await begin();
  await new Promise<void>((done) => {
    let shown = '';
    way.listen((data) => {
      shown += data.toString();
      if (/[$#] $/.test(shown)) done();
    });
  });
  way.close();
  return performance.now() - startedAt;
}

/** From the request for a session to the prompt of its shell, beyond the time of a bare client. */
export async function promptFigures(shop: Shop) {
  const times: { readonly mine: number; readonly bare: number }[] = [];
  for (let round = 0; round < 7; round++) {
    const bare = await untilPrompt(() => theirs(shop, startCommand(['sh'], 'bench/1')));
    times.push({ mine: await untilPrompt(() => ours(shop, ['sh'])), bare });
  }
  return { mineMs: median(times.map(({ mine }) => mine)), bareMs: median(times.map(({ bare }) => bare)) };
}

const stalled = 20;
const stalledMs = 60_000;

/** The most memory that a terminal takes while its client reads nothing of an endless output. */
export async function stalledFigures(shop: Shop) {
  const warm = await ours(shop, ['yes']);
  await wait(2_000);
  warm.close();
  const before = await shop.memory();
  const terminals = await Promise.all(
    Array.from({ length: stalled }, async () => {
      const terminal = await shop.attach(await shop.create(['yes']));
      terminal.socket.pause();
      return terminal;
    }),
  );
  let most = 0;
  for (let passed = 0; passed < stalledMs; passed += stalledMs / 6) {
    await wait(stalledMs / 6);
    most = Math.max(most, (await shop.memory()).rss);
  }
  for (const { socket } of terminals) socket.terminate();
  return { terminals: stalled, bytesEach: (most - before.rss) / stalled };
}

const idle = 100;
const between = (before: Memory, after: Memory, of: (memory: Memory) => number) => (of(after) - of(before)) / idle;

/** What a hundred idle terminals take beyond a hundred others. */
export async function idleTerminals(shop: Shop) {
  const open = async () => {
    const terminals: Terminal[] = [];
    for (let number = 0; number < idle; number++) terminals.push(await shop.attach(await shop.create(['cat'])));
    await wait(5_000);
    return terminals;
  };
  const first = await open();
  const before = await shop.memory();
  const second = await open();
  const after = await shop.memory();
  for (const { socket } of [...first, ...second]) socket.terminate();
  return {
    objectsEach: between(before, after, ({ heapUsed, external }) => heapUsed + external),
    residentEach: between(before, after, ({ rss }) => rss),
  };
}
