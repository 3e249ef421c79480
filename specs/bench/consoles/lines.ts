import { type Line, times } from '../line.ts';
import { echoFigures, idleTerminals, outputFigures, promptFigures, stalledFigures } from './figures.ts';
import { idleWrites } from './idleWrites.ts';
import { openShop, type Shop } from './shop.ts';

const inShop = async <A>(figure: (shop: Shop) => Promise<A>): Promise<A> => {
  const shop = await openShop();
  try {
    return await figure(shop);
  } finally {
    await shop.end();
  }
};
const ms = (value: number) => `${value.toFixed(2)} ms`;
const kilobytes = (bytes: number) => `${(bytes / 1_000).toFixed(0)} kB`;
const megabytes = (bytes: number) => `${(bytes / 1_024 / 1_024).toFixed(2)} MiB`;

/** A terminal against a bare client of the same exec stream. */
export const consoles = (): Promise<readonly Line[]> =>
  inShop(async (shop) => {
    const { p50, p99 } = await echoFigures(shop);
    const prompt = await promptFigures(shop);
    const output = await outputFigures(shop);
    const [half, last] = [p50.mine / p50.bare, p99.mine / p99.bare];
    return [
      {
        what: 'a key at a terminal until it is shown, against a bare client: p50',
        figure: `${times(half)} (${ms(p50.mine)}, ${ms(p50.bare)})`,
        budget: '≤ 2 ×',
        holds: half <= 2,
      },
      {
        what: 'the same: p99',
        figure: `${times(last)} (${ms(p99.mine)}, ${ms(p99.bare)})`,
        budget: '≤ 3 ×',
        holds: last <= 3,
      },
      {
        what: 'from the request for a session to the first prompt, beyond a bare client',
        figure: `${ms(prompt.mineMs - prompt.bareMs)} (${ms(prompt.mineMs)}, ${ms(prompt.bareMs)})`,
        budget: '≤ 300 ms',
        holds: prompt.mineMs - prompt.bareMs <= 300,
      },
      {
        what: '64 MiB of output, rate against a bare client',
        figure: `${times(output.ratio)} (${megabytes(output.rate)}/s)`,
        budget: '≥ 0.6 ×',
        holds: output.ratio >= 0.6,
      },
    ];
  });

/** What terminals cost while nobody types. */
export const consolesAtRest = (): Promise<readonly Line[]> =>
  inShop(async (shop) => {
    const idle = await idleTerminals(shop);
    const { terminals, writes, leaseWrites } = await idleWrites();
    return [
      {
        what: 'objects in memory of an idle terminal, of the second hundred',
        figure: kilobytes(idle.objectsEach),
        budget: '≤ 100 kB',
        holds: idle.objectsEach <= 100_000,
      },
      {
        what: 'all that is resident of the same, with what the allocators keep',
        figure: kilobytes(idle.residentEach),
        budget: '≤ 100 kB',
        holds: idle.residentEach <= 100_000,
      },
      {
        what: `writes of ${terminals} idle terminals in ten minutes, the lease aside`,
        figure: `${writes.length} (and ${leaseWrites} of the lease)`,
        budget: '0',
        holds: terminals === 100 && leaseWrites > 0 && writes.length === 0,
      },
    ];
  });

/** What a client that reads nothing costs. */
export const consolesStalled = (): Promise<readonly Line[]> =>
  inShop(async (shop) => {
    const { terminals, bytesEach } = await stalledFigures(shop);
    return [
      {
        what: `memory of a terminal whose client reads nothing of an endless output for a minute, of ${terminals}`,
        figure: megabytes(bytesEach),
        budget: '≤ 4 MiB',
        holds: bytesEach <= 4 * 1_024 * 1_024,
      },
    ];
  });
