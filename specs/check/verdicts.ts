import type { VerdictRule } from '../../rules/verdict.ts';
import type { FoundCause } from '../../rules/cause/cause.ts';
import { type Message, open } from '../../rules/words.ts';
import type { VerdictTable } from '../tables/sections.ts';
import { sectionAt } from '../tables/parse.ts';
import { type BrokenOver, brokenOver } from './facts.ts';
import { factsText } from './factsText.ts';
import type { Fault } from './outcome.ts';
import { messagePattern } from './message.ts';
import { verdictPlaces } from './places.ts';
import type { Run } from './run.ts';
import { draw, type Drawn } from './samples.ts';
import { whyThrown } from './thrown.ts';
import type { VerdictSubject } from './subject.ts';

type AnyVerdict = VerdictRule<unknown, Message | string>;
export type AnyVerdictSubject = VerdictSubject<unknown>;

/** How often each row of the verdict tables held, and the faults in them. */
export interface Verdicts {
  readonly held: Readonly<Record<string, number>>;
  readonly faults: readonly Fault[];
}

export const verdictSubjects = ({ subject }: Run): readonly (readonly [string, AnyVerdictSubject])[] =>
  Object.entries(subject.verdicts ?? {}) as unknown as readonly (readonly [string, AnyVerdictSubject])[];

const fault = (text: string, ...at: readonly string[]): Fault => ({ check: 'verdicts', at, text });

/** Checks every verdict table of a lifecycle against its rows: order, reasons, statuses, exact messages, coverage. */
export function verdicts(run: Run): Verdicts {
  const subjects = verdictSubjects(run);
  const held: Record<string, number> = {};
  const faults: Fault[] = [];
  for (const { name } of run.table.verdicts)
    if (!subjects.some(([heading]) => heading === name))
      faults.push(
        fault(`the verdict table "${name}" has no rules`, sectionAt(run.table, name), run.subject.files.rules),
      );
  for (const [name, of] of subjects) {
    const written = run.table.verdicts.find((table) => table.name === name);
    if (!written) {
      faults.push(
        fault(`no table under a heading "${name}" holds these verdicts`, sectionAt(run.table, name), placed(of, 0)),
      );
      continue;
    }
    const shape = shapeFaults(run, written, of);
    faults.push(...shape);
    if (shape.length === 0) faults.push(...overFacts(run, written, of, held));
  }
  return { held, faults };
}

/** The place of one row of the rules; the first line of the file if the rows cannot be told apart there. */
function placed({ table, file }: AnyVerdictSubject, index: number): string {
  const places = verdictPlaces(file);
  return (places.length === table.length ? places[index] : places[0]) ?? `${file}:1`;
}

/** Whether the rows are the same, in the same order. */
function shapeFaults({ table }: Run, written: VerdictTable, of: AnyVerdictSubject): readonly Fault[] {
  const { table: rules } = of;
  const namesCauses = rules.some(({ cause }) => cause !== undefined);
  return Array.from({ length: Math.max(written.rows.length, rules.length) }).flatMap((_, index) => {
    const row = written.rows[index];
    const rule = rules[index];
    if (!row)
      return [
        fault(
          `${written.name}: verdict ${index + 1} (${rule?.reason}) has no row`,
          placed(of, index),
          sectionAt(table, written.name),
        ),
      ];
    const at = `${table.file}:${row.line}`;
    if (!rule)
      return [fault(`${row.id}: row ${index + 1} of ${written.name} has no rule`, at, placed(of, rules.length - 1))];
    const weight = (counts: string) => (counts === '-' ? '' : ` ${counts}`);
    const is = `${rule.reason || '-'} ${rule.status}${weight(rule.counts ?? '-')}`;
    const should = `${row.reason} ${row.status === '-' ? rule.status : row.status}${weight(row.counts)}`;
    const wrong = namesCauses ? causeFault(row, rule) : null;
    return [
      ...(is === should
        ? []
        : [fault(`${row.id}: verdict ${index + 1} should be ${should}, it is ${is}`, at, placed(of, index))]),
      ...(wrong === null ? [] : [fault(`${row.id}: ${wrong}`, at, placed(of, index))]),
    ];
  });
}

/** What is wrong with the cause of a row, in words: every verdict that is not True has one, and both name the same. */
export function causeFault(
  { cause: should, status }: VerdictTable['rows'][number],
  { cause }: AnyVerdict,
): string | null {
  const is = cause?.column ?? '-';
  if (should === '-' && status !== 'True') return `it is ${status} and names no cause`;
  return is === should ? null : `its cause should be ${should}, it is ${is}`;
}

/** The index of the first row that holds, or -1. */
export const firstOf = (table: readonly AnyVerdict[], facts: unknown): number =>
  table.findIndex(({ when }) => when(facts));

/** What is wrong with the verdict over some facts, in words; null if nothing is. */
export function wrongVerdict(written: VerdictTable, of: AnyVerdictSubject, facts: unknown): string | null {
  const index = firstOf(of.table, facts);
  const [row, rule] = [written.rows[index], of.table[index]];
  if (!row || !rule) return 'no verdict holds';
  const wanted = of.documents(facts);
  if (row.id !== wanted) return `the documents say ${wanted}, the rules ${row.id}`;
  const sentence = rule.message(facts);
  const message = typeof sentence === 'string' ? { text: sentence } : sentence;
  if (!messagePattern(row.message).test(message.text))
    return `${row.id} should say "${row.message}", it says "${message.text}"`;
  return wrongCauses(row.id, rule, facts, message);
}

/** Columns whose causes come from elsewhere: from another row, from what remains of a deletion, or from nowhere. */
const toldElsewhere: readonly string[] = ['kept', 'draft', 'DeletionWaits'];

/** What is wrong with the causes that a row finds, in words: one at least, each with a reason that the row names. */
function wrongCauses(id: string, { cause, status }: AnyVerdict, facts: unknown, message: Message): string | null {
  if (cause === undefined || toldElsewhere.includes(cause.column)) return null;
  const found = cause.find(facts, { self: sampleRef, message, copies: () => [sampleCopies], causeOf: () => undefined });
  const other = found.find(({ reason }) => !cause.reasons.includes(reason));
  if (other) return `${id} finds ${other.reason}, which its column does not name`;
  if (status === 'False' && found.length === 0) return `${id} finds no cause`;
  const unnamed = found.find(({ message: { text }, on }) => text.trim() === '' || on.kind === '');
  return unnamed ? `${id} finds ${unnamed.reason} without words or without an object` : null;
}

const sampleRef = { kind: 'CoreApp', name: 'web', namespace: 'core-system' };
const sampleCopies: FoundCause = {
  reason: 'CrashLoop',
  message: open('the program ends by itself: exit code 1, 3 restarts'),
  on: { kind: 'Deployment', name: 'web', namespace: 'shop-production' },
};

/** Facts over which every verdict of a table holds, where possible, and how often each did. */
export const drawnFor = ({ seed }: Run, { rows }: VerdictTable, of: AnyVerdictSubject): Drawn =>
  draw(
    of.facts,
    seed,
    rows.map(({ id }) => id),
    (facts) => {
      const row = rows[firstOf(of.table, facts)];
      return row ? [row.id] : [];
    },
  );

function overFacts(
  run: Run,
  written: VerdictTable,
  of: AnyVerdictSubject,
  held: Record<string, number>,
): readonly Fault[] {
  const { samples, met } = drawnFor(run, written, of);
  Object.assign(held, met);
  const broken = brokenOver(run, {
    samples,
    facts: of.facts,
    judge: (facts) => {
      const wrong = wrongVerdict(written, of, facts);
      if (wrong !== null) throw new Error(wrong);
    },
  });
  if (broken !== null) return [brokenFault(run, written, of, broken)];
  return written.rows.flatMap(({ id, line }, index) =>
    met[id] === 0
      ? [
          fault(
            `${id}: this verdict never held over ${samples.length} facts`,
            `${run.table.file}:${line}`,
            placed(of, index),
          ),
        ]
      : [],
  );
}

/** The row that holds and the row that the documents name, over the facts that both read. */
function brokenFault({ table }: Run, written: VerdictTable, of: AnyVerdictSubject, broken: BrokenOver): Fault {
  const { facts, thrown } = broken;
  const tried = <T>(look: () => T, otherwise: T): T => {
    try {
      return look();
    } catch {
      return otherwise;
    }
  };
  const wanted = tried(() => of.documents(facts), '');
  const involved = [
    tried(() => firstOf(of.table, facts), -1),
    written.rows.findIndex(({ id }) => id === wanted),
  ].filter((index, at, all) => index !== -1 && all.indexOf(index) === at);
  const rules = involved.flatMap((index) => of.table[index] ?? []);
  const looks = rules.flatMap(({ when, message }) => [when, message]);
  const places = involved.flatMap((index) => [`${table.file}:${written.rows[index]?.line ?? 1}`, placed(of, index)]);
  const at = places.length === 0 ? [sectionAt(table, written.name), placed(of, 0)] : places;
  return fault(`${written.name}: ${whyThrown(thrown)}, over the facts\n${factsText(facts, looks)}`, ...at);
}
