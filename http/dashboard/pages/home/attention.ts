import type { Instance, Machine } from '../../../api.ts';
import { lookOf, type Tone } from '../../model/state.ts';

/** Something that needs a person, with the words for it. */
export interface Attention {
  readonly instance: Instance;
  readonly label: 'Failed' | 'At risk' | 'Retrying' | 'Stuck';
  /** The name that people search for: of a build its service, of the platform its domain. */
  readonly name: string;
  readonly reason: string;
}

/** What has waited this long does not come by itself. */
const stuckMs = 5 * 60_000;

const order = { Failed: 0, 'At risk': 1, Retrying: 2, Stuck: 3 } as const;

/** Whether it tells of a database's backups, beside the machine that tells of the database. */
export const isOfBackups = ({ machine }: Pick<Instance, 'machine'>): boolean => machine === 'databaseBackup';

/** Backups in these states leave a loss of data unmended; a first backup takes its time. */
const unsafe: readonly string[] = ['AtRisk', 'NeedsStorage'];

function wordOf(instance: Instance, now: number): Attention['label'] | null {
  if (isOfBackups(instance)) return unsafe.includes(instance.state) ? 'At risk' : null;
  const { tone } = lookOf(instance.state);
  if (tone === 'bad') return instance.retrying ? 'Retrying' : 'Failed';
  if (instance.retrying) return 'Retrying';
  return tone === 'waiting' && now - Date.parse(instance.since) > stuckMs ? 'Stuck' : null;
}

const nameIn = ({ kind, machine, name, columns }: Instance): string => {
  if (kind === 'CorePlatformConfig') return machine === 'dnsProviderReady' ? 'DNS provider' : 'Domain';
  return kind === 'CoreBuild' ? (columns['app'] ?? name) : name;
};

/** Whether all else that is listed leaves it in: what a service waits for says more than that the service waits. */
function isListed({ instance: { kind, name }, label }: Attention, all: readonly Attention[]): boolean {
  if (kind !== 'CoreApp' || label !== 'Stuck') return true;
  return !all.some(({ instance }) => instance.kind === 'CoreBuild' && instance.columns['app'] === name);
}

/** The looks of states in which an instance may need attention, now or later. */
const watchedTones: ReadonlySet<Tone> = new Set(['bad', 'waiting', 'active']);

/** The states of a machine whose instances may need attention: what is given up, waits, is tried again, or goes. */
export const watchedStates = ({ name, states }: Pick<Machine, 'name' | 'states'>): readonly string[] =>
  isOfBackups({ machine: name })
    ? unsafe
    : states.map((one) => one.name).filter((state) => state === 'Deleting' || watchedTones.has(lookOf(state).tone));

/** What needs attention: failed first, then databases at risk, then retrying, then stuck for over five minutes; the newest first of each. */
export function attentionOf(instances: Iterable<Instance>, now: number): readonly Attention[] {
  const all = [...instances].flatMap((instance): readonly Attention[] => {
    const word = wordOf(instance, now);
    return word === null
      ? []
      : [{ instance, label: word, name: nameIn(instance), reason: instance.reason || instance.shown }];
  });
  return all
    .filter((item) => isListed(item, all))
    .toSorted((a, b) => order[a.label] - order[b.label] || (a.instance.since < b.instance.since ? 1 : -1));
}
