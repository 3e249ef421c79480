/** One thing that the palette finds. */
export interface Entry {
  readonly key: string;
  readonly kind:
    'Action' | 'Page' | 'Project' | 'Service' | 'State machine' | 'Build' | 'Database' | 'Logical database' | 'Bucket';
  readonly label: string;
  /** Where it is, or what it belongs to. */
  readonly place?: string;
  /** The state of an object, which is shown with its sign. */
  readonly state?: string;
  /** The address that it opens; an action has none. */
  readonly to?: string;
  readonly run?: () => void;
}

/** What the palette shows of what it found. */
export interface SearchResult {
  readonly entries: readonly Entry[];
  readonly more: number;
}

const maxShown = 50;
const actionsOnly = '>';

/** 0 for a name that begins with the text, 1 for a part of a name that does, 2 for any other place. */
function rankOf(word: string, text: string): number {
  const at = word.indexOf(text);
  if (at === 0) return 0;
  return at > 0 && /[^a-z0-9]/.test(word.charAt(at - 1)) ? 1 : 2;
}

/** The entries in which every word of a text occurs, the best first; text that begins with `>` finds actions only. */
export function findEntries(entries: readonly Entry[], typed: string): SearchResult {
  const isAction = typed.trimStart().startsWith(actionsOnly);
  const text = typed
    .trimStart()
    .slice(isAction ? 1 : 0)
    .trim()
    .toLowerCase();
  const words = text.split(/\s+/);
  const matches = entries
    .filter(({ kind }) => !isAction || kind === 'Action')
    .map((entry) => ({ entry, label: entry.label.toLowerCase() }))
    .filter(({ entry: { kind, place = '' }, label }) => {
      const all = `${label} ${place.toLowerCase()} ${kind.toLowerCase()}`;
      return words.every((one) => all.includes(one));
    })
    .map(({ entry, label }) => ({ entry, rank: rankOf(label, text) }))
    .toSorted((a, b) => a.rank - b.rank);
  return {
    entries: matches.slice(0, maxShown).map(({ entry }) => entry),
    more: Math.max(0, matches.length - maxShown),
  };
}
