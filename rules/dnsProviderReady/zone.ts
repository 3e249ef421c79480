export interface Zone {
  readonly id: string;
  readonly name: string;
}

/** How a zone is chosen: by the settings, or among those visible to the credentials. */
export interface ZoneGiven {
  readonly root: string;
  readonly zoneID: string;
  /** `zoneName` of the Secret. */
  readonly zoneName: string;
  /** `zones` of the Secret: the names that may be used, separated by commas; empty for all. */
  readonly allowed: string;
  readonly visible: readonly Zone[];
}

export type ZoneChoice =
  { readonly is: 'settled'; readonly id: string } | { readonly is: 'undecided' | 'missing'; readonly why: string };

const settled = (zone: Zone): ZoneChoice => ({ is: 'settled', id: zone.id });

/** The zone of automatic records: the configured one, the named one, that of the root, or the only one. */
export function zoneFor({ root, zoneID, zoneName, allowed, visible }: ZoneGiven): ZoneChoice {
  if (zoneID !== '') return { is: 'settled', id: zoneID };
  const names = allowed.split(/[\s,]+/).filter((name) => name !== '');
  const zones = names.length === 0 ? visible : visible.filter(({ name }) => names.includes(name));
  const [only, ...others] = zones;
  const wanted = zones.find(({ name }) => name === (zoneName === '' ? root : zoneName));
  if (wanted) return settled(wanted);
  if (zoneName !== '') return { is: 'missing', why: `the credentials do not see the zone ${zoneName}` };
  if (!only) return { is: 'missing', why: 'the credentials see no zone' };
  if (others.length === 0) return settled(only);
  return { is: 'undecided', why: `none of ${zones.length} zones is called ${root}` };
}
