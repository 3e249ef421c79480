import type { Attention, Instance } from '../../../api.ts';
import { lookOf } from '../../model/state.ts';

/** Something about the platform's own settings that needs a person. */
export interface PlatformItem {
  readonly instance: Instance;
  readonly word: Extract<Attention['word'], 'Failed' | 'Retrying' | 'Stuck'>;
  readonly name: string;
}

/** The machines of the platform's settings; what they check has no causes. */
export const platformMachines = ['dashboardDomainReady', 'dnsProviderReady'] as const;

const names: Readonly<Record<string, string>> = { dashboardDomainReady: 'Domain', dnsProviderReady: 'DNS provider' };

/** What has waited this long does not come by itself. */
const stuckMs = 5 * 60_000;

function wordOf({ state, retrying, since }: Instance, now: number): PlatformItem['word'] | null {
  const { tone } = lookOf(state);
  if (retrying) return 'Retrying';
  if (tone === 'bad') return 'Failed';
  return tone === 'waiting' && now - Date.parse(since) > stuckMs ? 'Stuck' : null;
}

/** The settings of the platform that need attention at a time. */
export const platformItems = (instances: readonly Instance[], now: number): readonly PlatformItem[] =>
  instances.flatMap((instance) => {
    const word = wordOf(instance, now);
    return word === null ? [] : [{ instance, word, name: names[instance.machine] ?? instance.name }];
  });
