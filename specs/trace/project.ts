import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Places } from '../check/outcome.ts';
import { placesOf, verdictPlaces } from '../check/places.ts';
import type { AnySubject } from '../check/subject.ts';
import { whyUnloadable } from '../check/unreadable.ts';
import { importSource } from '../support/source.ts';
import { documentsFile, parseSections, type Section } from './documents.ts';
import {
  type Decision,
  decisionsFile,
  parseDecisions,
  parseRequirements,
  type Requirement,
  requirementsFile,
} from './requirements.ts';
import { readResults } from './results.ts';
import { SheetError } from './sheet.ts';
import { type Named, readTables, rowsById, type Tables } from './tables.ts';
import { type Test, testsOf } from './tests.ts';
import { readTitles } from './titles.ts';

/** A lifecycle's subject, and where its arrows, rules and verdicts stand. */
export interface Lifecycle {
  readonly subject: AnySubject;
  readonly places: Places;
  /** Where the rows of its verdict tables stand, by heading. */
  readonly verdicts: Readonly<Record<string, readonly string[]>>;
}

/** Everything that hangs together by ids: requirements, rows, tests and what came of them. */
export interface Project extends Tables {
  readonly requirements: ReadonlyMap<string, Requirement>;
  readonly decisions: ReadonlyMap<string, Decision>;
  readonly sections: readonly Section[];
  /** The rows of all tables by their ids; an arrow and a verdict may share one. */
  readonly rows: ReadonlyMap<string, readonly Named[]>;
  readonly tests: readonly Test[];
  /** The lifecycle of a name; why there is none, where there is none. */
  lifecycle(name: string): Promise<Lifecycle | string>;
}

/** The repository's own root. */
export const here: string = fileURLToPath(new URL('../..', import.meta.url));

/** Everything as it stands in the files below a root; a malformed sheet throws a SheetError. */
export function readProject(root: string = here): Project {
  const text = (file: string) => {
    if (!existsSync(join(root, file))) throw new SheetError([`${file} is not there`]);
    return readFileSync(join(root, file), 'utf8');
  };
  const { tables, faults } = readTables(root);
  const requirements = parseRequirements(text(requirementsFile));
  return {
    tables,
    faults,
    requirements: new Map(requirements.map((each) => [each.id, each])),
    decisions: new Map(parseDecisions(text(decisionsFile)).map((each) => [each.number, each])),
    sections: parseSections(text(documentsFile)),
    rows: rowsById(tables),
    tests: testsOf(readTitles(root), readResults(root)),
    lifecycle: (name) => lifecycleNamed(root, name),
  };
}

/** Every id that may be named: of the requirements, and of the rows of ours. */
export const knownIds = ({ requirements, rows }: Pick<Project, 'requirements' | 'rows'>): readonly string[] => [
  ...new Set([...requirements.keys(), ...rows.keys()]),
];

async function lifecycleNamed(root: string, name: string): Promise<Lifecycle | string> {
  const file = `specs/lifecycles/${name}.ts`;
  if (!existsSync(join(root, file))) return `${file} is not there, so nothing says which machine and rules these are`;
  try {
    const { lifecycle: subject } = (await importSource(join(root, file))) as { readonly lifecycle: AnySubject };
    const verdicts = Object.entries(subject.verdicts ?? {}).map(([heading, { file }]) => [
      heading,
      verdictPlaces(file),
    ]);
    return { subject, places: placesOf(subject.files), verdicts: Object.fromEntries(verdicts) };
  } catch (error) {
    return `${file} cannot be read: ${whyUnloadable(error, file).join('; ')}`;
  }
}
