import type { Bug } from './bug.ts';
import type { Hunted } from './hunt.ts';

const planted = ({ plant }: Bug): string => {
  if (plant.is === 'replaced') return plant.name;
  return plant.services ? 'around the services' : 'around the controllers';
};

const widest = (texts: readonly string[]) => Math.max(...texts.map(({ length }) => length));

/** What a hunt shows to be wrong with the harness or with the list of bugs; empty when the result is as expected. */
export function complaints({ bug, caughtBy, unsound }: Hunted): readonly string[] {
  const { name, unseen } = bug;
  return [
    ...(caughtBy === null && unseen === undefined ? [`survives: ${name}: ${bug.text}`] : []),
    ...(caughtBy !== null && unseen !== undefined ? [`is caught, and should not be seen: ${name}`] : []),
    ...unsound.map((plan) => `the product as it is does not hold: ${plan}`),
  ];
}

/** One line for each bug: its name, its family, where it was planted, and which plan caught it after how many tries. */
export function tableText(hunted: readonly Hunted[]): readonly string[] {
  const rows = hunted.map(({ bug, caughtBy, tries, ms }) => [
    bug.name,
    bug.family,
    planted(bug),
    String(tries),
    `${Math.round(ms)} ms`,
    caughtBy ?? (bug.unseen === undefined ? 'SURVIVES' : `not to be seen: ${bug.unseen}`),
  ]);
  const all = [['bug', 'family', 'planted in', 'tries', 'time', 'caught by'], ...rows];
  const widths = all[0]?.map((_, column) => widest(all.map((row) => row[column] ?? ''))) ?? [];
  const caught = hunted.filter(({ caughtBy }) => caughtBy !== null).length;
  return [
    ...all.map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    ),
    '',
    `${caught} of ${hunted.length} bugs caught, ${hunted.filter(({ bug }) => bug.unseen !== undefined).length} not to be seen`,
  ];
}
