import { readSheet, type SheetRow } from './sheet.ts';

/** One thing the documents ask for, or that we decided: what, where it stands, how it is checked. */
export type Requirement = SheetRow<(typeof columns)[number]>;

const columns = ['id', 'area', 'source', 'kind', 'requirement', 'how_to_check', 'note'] as const;

/** Where the requirements stand. */
export const requirementsFile = 'specs/requirements.tsv';

/** Reads the requirements; a malformed sheet is refused with every fault. */
export const parseRequirements = (text: string, file: string = requirementsFile): readonly Requirement[] =>
  readSheet(text, file, {
    columns,
    key: ({ id }) => id,
    faults: ({ id, area, ...row }) => [
      ...(/^[A-Z]{2,3}-\d{3}$/.test(id) ? [] : [`"${id}" is not an id such as BLD-001`]),
      ...(id.startsWith(`${area}-`) ? [] : [`${id} is not of the area "${area}"`]),
      ...(['source', 'kind', 'requirement', 'how_to_check'] as const)
        .filter((column) => row[column] === '')
        .map((column) => `${id}: ${column} is empty`),
    ],
  });

const decisionColumns = ['number', 'open', 'decided'] as const;

/** What was decided where the documents are silent, ambiguous or contradict each other. */
export type Decision = SheetRow<(typeof decisionColumns)[number]>;

/** Where the decisions stand. */
export const decisionsFile = 'specs/decisions.tsv';

/** Reads the decisions; a malformed sheet is refused with every fault. */
export const parseDecisions = (text: string, file: string = decisionsFile): readonly Decision[] =>
  readSheet(text, file, {
    columns: decisionColumns,
    key: ({ number }) => number,
    faults: ({ number, decided }) => [
      ...(/^[1-9]\d*$/.test(number) ? [] : [`"${number}" is not a number`]),
      ...(decided === '' ? ['decided is empty'] : []),
    ],
  });
