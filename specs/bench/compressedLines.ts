import { compressedFigures } from './compressed.ts';
import { type Line, times } from './line.ts';

/** What compressed answers save, and what they cost. */
export async function compressedLines(): Promise<readonly Line[]> {
  const { bytes, firstPaintMs, cpuMs } = await compressedFigures();
  const share = bytes[0] / bytes[1];
  const sooner = firstPaintMs[0] / firstPaintMs[1];
  const [gzip, br] = [cpuMs.gzip / cpuMs.identity, cpuMs.br / cpuMs.identity];
  return [
    {
      what: 'Home at 300 services, compressed, against plain bytes',
      figure: `${times(share)} (${(bytes[0] / 1_000).toFixed(0)} of ${(bytes[1] / 1_000).toFixed(0)} kB)`,
      budget: '≤ 0.35 ×',
      holds: share <= 0.35,
    },
    {
      what: 'its first paint at 400 kbit/s and 400 ms there and back, compressed, against plain bytes',
      figure: `${times(sooner)} (${firstPaintMs[0].toFixed(0)} of ${firstPaintMs[1].toFixed(0)} ms)`,
      budget: '≤ 0.8 ×',
      holds: sooner <= 0.8,
    },
    {
      what: 'processor time of what it asks of the API, gzip and br, against plain bytes',
      figure: `${times(gzip)}, ${times(br)}`,
      budget: '≤ 1.2 ×',
      holds: Math.max(gzip, br) <= 1.2,
    },
  ];
}
