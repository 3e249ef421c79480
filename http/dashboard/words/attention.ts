import type { Instance, Summary } from '../../api.ts';
import { lookOf } from './state.ts';

/** Something that needs a person, with the words for it. */
export interface Attention {
  readonly instance: Instance;
  readonly word: 'Failed' | 'At risk' | 'Retrying' | 'Stuck';
  /** The name that people search for: of a build its service, of the platform its domain. */
  readonly name: string;
  readonly reason: string;
}

/** What has waited this long does not come by itself. */
export const stuckMs = 5 * 60_000;

const order = { Failed: 0, 'At risk': 1, Retrying: 2, Stuck: 3 } as const;

/** Whether it tells of a database's backups, beside the machine that tells of the database. */
export const isOfBackups = ({ machine }: Pick<Instance, 'machine'>): boolean => machine === 'databaseBackup';

/** Backups in these states leave a loss of data unmended; a first backup takes its time. */
const unsafe: readonly string[] = ['AtRisk', 'NeedsStorage'];

function wordOf(instance: Instance, now: number): Attention['word'] | null {
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

/** Of a service only the current build matters, and what it waits for says more than that the service waits. */
function isListed(item: Attention, all: readonly Attention[], byName: ReadonlyMap<string, Summary>): boolean {
  const { kind, name } = item.instance;
  const build = byName.get(item.name)?.details['currentBuild'];
  if (kind === 'CoreBuild') return build === undefined || build === name;
  if (kind !== 'CoreApp' || item.word !== 'Stuck') return true;
  return !all.some(({ instance }) => instance.kind === 'CoreBuild' && instance.name === build);
}

/** What needs attention: failed first, then databases at risk, then retrying, then stuck for over five minutes; the newest first of each. */
export function attentionOf(
  instances: Iterable<Instance>,
  resources: readonly Summary[],
  now: number,
): readonly Attention[] {
  const byName = new Map(resources.filter(({ kind }) => kind === 'CoreApp').map((service) => [service.name, service]));
  const messages = new Map(resources.map(({ kind, name, message }) => [`${kind} ${name}`, message]));
  const all = [...instances].flatMap((instance): readonly Attention[] => {
    const word = wordOf(instance, now);
    const message = isOfBackups(instance) ? '' : messages.get(`${instance.kind} ${instance.name}`);
    return word === null
      ? []
      : [{ instance, word, name: nameIn(instance), reason: message || instance.reason || instance.shown }];
  });
  return all
    .filter((item) => isListed(item, all, byName))
    .toSorted((a, b) => order[a.word] - order[b.word] || (a.instance.since < b.instance.since ? 1 : -1));
}
