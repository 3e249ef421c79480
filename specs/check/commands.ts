import { parseArgs } from 'node:util';
import { durationMs } from '../../rules/time.ts';
import { auditText } from '../audit/audit.ts';
import { fetchRecordings, readRecordings } from '../audit/sources.ts';
import { auditTables } from '../audit/tables.ts';
import { traceCommands } from '../trace/commands.ts';
import { refused, type Output } from '../trace/output.ts';
import { readCounterexample, replay } from './counterexample.ts';
import { lifecycleNames, lifecycleOf } from './lifecycles.ts';
import { sampleFacts, tryFacts } from './try.ts';

type Command = (args: readonly string[]) => Promise<Output>;

async function tryCommand(args: readonly string[]): Promise<Output> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { facts: { type: 'string' }, state: { type: 'string' }, sample: { type: 'boolean', default: false } },
  });
  const [name] = positionals;
  if (name === undefined) return refused('which lifecycle? npm run specs -- try build --facts f.json');
  const subject = await lifecycleOf(name);
  if (values.sample) return sampleFacts(subject);
  if (values.facts === undefined)
    return refused(`which facts? npm run specs -- try ${name} --sample prints a file to begin with`);
  return tryFacts(subject, values.facts, values.state);
}

async function auditCommand(args: readonly string[]): Promise<Output> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      url: { type: 'string' },
      user: { type: 'string', default: 'admin' },
      late: { type: 'string', default: '5m' },
    },
  });
  const [path] = positionals;
  const password = process.env['CORE_ADMIN_PASSWORD'];
  if ((path === undefined) === (values.url === undefined))
    return refused('audit what? a journal, what kubectl printed with -o json, `-` for standard input, or --url');
  if (values.url !== undefined && password === undefined)
    return refused(`reading ${values.url} needs the password of ${values.user} in CORE_ADMIN_PASSWORD`);
  if (!/^[1-9]\d*[smh]$/.test(values.late)) return refused(`--late ${values.late} is no time such as 5m`);
  const recorded =
    values.url === undefined
      ? readRecordings(path ?? '')
      : await fetchRecordings({ url: values.url, user: values.user, password: password ?? '' });
  return auditText(recorded, auditTables(lifecycleNames()), { now: Date.now(), lateMs: durationMs(values.late) });
}

async function replayCommand([file]: readonly string[]): Promise<Output> {
  if (file === undefined) return refused('which counterexample? npm run specs -- replay <file>');
  const kept = readCounterexample(file);
  return typeof kept === 'string' ? refused(kept) : replay(await lifecycleOf(kept.lifecycle), kept);
}

async function jointCommand(names: readonly string[]): Promise<Output> {
  const { joints, searchJoints } = await import('./joint/all.ts');
  const unknown = names.find((name) => !joints.some((of) => of.name === name));
  if (unknown !== undefined)
    return refused(`no joint world is called "${unknown}"; there are ${joints.map(({ name }) => name).join(', ')}`);
  const lines: string[] = [];
  const wrong = searchJoints(
    (line) => void lines.push(line),
    joints.filter(({ name }) => names.length === 0 || names.includes(name)),
  );
  return { lines, exit: wrong === 0 ? 0 : 1 };
}

/** The commands besides the check itself, by the first word of the command line. */
export const commands: Readonly<Record<string, Command>> = {
  ...traceCommands,
  try: tryCommand,
  audit: auditCommand,
  replay: replayCommand,
  joint: jointCommand,
};
