import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Line, times } from './line.ts';

interface Both {
  readonly direct: number;
  readonly proxied: number;
}

interface Figures {
  readonly requests: Both;
  readonly bytes: Both;
  readonly halfMs: Both;
}

/** A pod asked through its Service, against the pod asked directly, in a network of its own. */
export function proxiedFigures(): readonly Line[] {
  const program = fileURLToPath(new URL('proxied/client.ts', import.meta.url));
  const { stdout, stderr, status } = spawnSync('unshare', ['-n', process.execPath, '--import', 'tsx', program], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`no network of its own can be measured here: ${stderr}`);
  const { requests, bytes, halfMs } = JSON.parse(stdout) as Figures;
  const line = (what: string, { direct, proxied }: Both, unit: string): Line => ({
    what: `a Service on podman against its pod: ${what}`,
    figure: `${times(proxied / direct)} (${proxied.toFixed(0)} and ${direct.toFixed(0)} ${unit})`,
    budget: '≥ 0.5 ×',
    holds: proxied >= 0.5 * direct,
  });
  const perMega = ({ direct, proxied }: Both) => ({ direct: direct / 1e6, proxied: proxied / 1e6 });
  const moreMs = halfMs.proxied - halfMs.direct;
  return [
    line('requests', requests, 'requests/s'),
    line('bytes', perMega(bytes), 'MB/s'),
    {
      what: 'the same: half of the requests of one client take longer by',
      figure: `${moreMs.toFixed(2)} ms (${halfMs.proxied.toFixed(2)} and ${halfMs.direct.toFixed(2)} ms)`,
      budget: '≤ 0.3 ms',
      holds: moreMs <= 0.3,
    },
  ];
}
