/** An id taken apart: `BLD-151a` is area BLD, number 151, letter a. */
interface Id {
  readonly area: string;
  readonly number: number;
  readonly letter: string;
}

/** Every id that a text names, each once. */
export const idsIn = (text: string): readonly string[] => [
  ...new Set(text.match(/(?<![\w-])[A-Z]{2,3}-\d{3}[a-z]?(?![\w-])/g) ?? []),
];

/** A test's title without the ids it begins with. */
export const withoutIds = (title: string): string => title.replace(/^(?:[A-Z]{2,3}-\d{3}[a-z]? ?)+/, '') || title;

/** The requirement a row stands for: `BLD-151a` is a row of BLD-151. */
export const baseOf = (id: string): string => id.replace(/[a-z]$/, '');

/** Ids in the order of their areas, numbers and letters. */
export const byId = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true });

function partsOf(text: string): Id | null {
  const [, area, number, letter] = /^([a-z]+)[-_ ]*(\d+)([a-z]?)$/i.exec(text.trim()) ?? [];
  return area === undefined || number === undefined || letter === undefined
    ? null
    : { area: area.toUpperCase(), number: Number(number), letter: letter.toLowerCase() };
}

/** Letters that stand in only one of two areas. */
const unlike = (a: string, b: string) =>
  a.split('').filter((letter) => !b.includes(letter)).length +
  b.split('').filter((letter) => !a.includes(letter)).length;

/** The known ids that were most likely meant: of the area most alike, those whose numbers are nearest. */
export function nearestIds(asked: string, known: readonly string[], count = 4): readonly string[] {
  const meant = partsOf(asked) ?? { area: asked.toUpperCase().replace(/[^A-Z]/g, ''), number: 0, letter: '' };
  const far = (id: string): readonly [number, number, number] => {
    const { area, number, letter } = partsOf(id) ?? { area: '', number: 0, letter: '' };
    return [unlike(meant.area, area), Math.abs(number - meant.number), letter === meant.letter ? 0 : 1];
  };
  return known
    .map((id) => ({ id, far: far(id) }))
    .toSorted((a, b) => a.far[0] - b.far[0] || a.far[1] - b.far[1] || a.far[2] - b.far[2] || byId(a.id, b.id))
    .slice(0, count)
    .map(({ id }) => id);
}
