import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Effect } from 'effect';
import type { CoreConsoleSession } from '../../crds/coreConsoleSession.ts';
import { lineMessages } from '../../rules/consoleSession/owedLines.ts';
import { consoleSessions } from '../../runtime/services/cluster/kinds.ts';
import { historyOf } from '../../runtime/step/history.ts';
import type { SoakProcesses } from './processes.ts';
import { violation, type Violation } from './violations.ts';
import type { Ledger } from './ledger.ts';

/** The processes whose home is a container's. */
function shellsIn(containersDir: string): readonly string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`HOME=${containersDir}/`);
    } catch {
      return false;
    }
  });
}

const isEnded = ({ status }: CoreConsoleSession): boolean =>
  ['Closed', 'Expired'].includes(status?.phase ?? '') && !status?.terminal && (status?.owedLines ?? []).length === 0;

const sessionsIn = async ({ direct }: SoakProcesses) => (await Effect.runPromise(direct.list(consoleSessions))).items;

/** What of terminals is still there: sessions that have not ended, and processes in containers. */
export async function openConsoles(processes: SoakProcesses): Promise<readonly string[]> {
  const sessions = (await sessionsIn(processes)).filter((one) => !isEnded(one));
  return [
    ...sessions.map(({ metadata, status }) => `${metadata.name} is ${status?.phase || 'without a phase'}`),
    ...shellsIn(processes.containersDir).map((pid) => `the process ${pid} runs in a container`),
  ];
}

/** How many lines of a message the operators have written, by actor. */
function linesIn(log: string, message: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const line of log.split('\n')) {
    if (!line.includes(`"message":"${message}"`)) continue;
    const [, actor = ''] = /"actor":"([^"]*)"/.exec(line) ?? [];
    counts.set(actor, (counts.get(actor) ?? 0) + 1);
  }
  return counts;
}

/** Each terminal has both lines; a process that dies between a line and its mark leaves that line to be written again. */
function linesAmiss(sessions: readonly CoreConsoleSession[], log: string, kills: number): readonly Violation[] {
  const attachedBy = new Map<string, number>();
  for (const { by } of sessions.flatMap(historyOf).filter(({ event }) => event === 'attached'))
    attachedBy.set(by, (attachedBy.get(by) ?? 0) + 1);
  return Object.values(lineMessages).flatMap((message) => {
    const lines = linesIn(log, message);
    const actors = new Set([...attachedBy.keys(), ...lines.keys()]);
    return [...actors].flatMap((actor) => {
      const [terminals, count] = [attachedBy.get(actor) ?? 0, lines.get(actor) ?? 0];
      const most = terminals === 0 ? 0 : terminals + kills;
      if (count >= terminals && count <= most) return [];
      return [violation(`${terminals} terminals of ${actor} have ${count} lines "${message}"`, actor)];
    });
  });
}

/** Files of the processes: what containers keep, and the repositories of the driver, are not theirs. */
const filesUnder = (dir: string, apart: readonly string[]): readonly string[] =>
  readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
    const path = join(dir, entry.name);
    if (apart.includes(path)) return [];
    return entry.isDirectory() ? filesUnder(path, apart) : entry.isFile() ? [path] : [];
  });

/** What was typed stands nowhere. */
function typedMarks({ dir, containersDir }: SoakProcesses, { mark, answers }: Ledger): readonly Violation[] {
  const files = filesUnder(dir, [containersDir, join(dir, 'repositories')]);
  const told = files.filter((path) => readFileSync(path).includes(mark)).map((path) => path.slice(dir.length + 1));
  return [
    ...told.map((path) => violation(`what was typed into a terminal stands in ${path}`)),
    ...(answers.some((text) => text.includes(mark)) ? [violation('what was typed into a terminal was answered')] : []),
  ];
}

/** Of terminals nothing is left but their sessions and their lines. */
export async function consoleFaults(
  processes: SoakProcesses,
  ledger: Ledger,
  kills: number,
): Promise<readonly Violation[]> {
  const sessions = await sessionsIn(processes);
  const log = processes.operators
    .map(({ name }) => readFileSync(join(processes.dir, `${name}.log`), 'utf8'))
    .join('\n');
  return [...linesAmiss(sessions, log, kills), ...typedMarks(processes, ledger)];
}
