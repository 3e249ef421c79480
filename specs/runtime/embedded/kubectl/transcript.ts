/** One command of a transcript, with what it must print. */
export interface CommandStep {
  readonly is: 'command';
  /** The line of the page that the command stands on, from 1. */
  readonly line: number;
  readonly command: string;
  /** Whether the command is run again until it prints what is expected. */
  readonly waits: boolean;
  readonly expected: readonly string[];
  readonly exit: number;
}

/** A file that the commands after it find beside them. */
interface FileStep {
  readonly is: 'file';
  readonly name: string;
  readonly text: string;
}

export type Step = CommandStep | FileStep;

const fence = /^```(\w*)(?: (\S+))?$/;

/**
 * Reads a page of commands. A block opened by ```` ```yaml web.yaml ```` (any language) is a file; a block of the
 * language `console` holds commands: `$ ` begins one, `~ ` one that is run until it prints what is expected, `> ` goes on with
 * it; a last line `[n]` is its exit code where that is not 0.
 */
export function readTranscript(text: string): readonly Step[] {
  const steps: Step[] = [];
  const lines = text.split('\n');
  for (let at = 0; at < lines.length; at++) {
    const opened = fence.exec(lines[at] ?? '');
    if (!opened) continue;
    const end = lines.indexOf('```', at + 1);
    if (end < 0) throw new Error(`line ${at + 1}: the block is not closed`);
    const [, language, name] = opened;
    const block = lines.slice(at + 1, end);
    if (language === 'console') steps.push(...commandsOf(block, at + 2));
    else if (name !== undefined) steps.push({ is: 'file', name, text: `${block.join('\n')}\n` });
    at = end;
  }
  return steps;
}

function commandsOf(block: readonly string[], firstLine: number): readonly CommandStep[] {
  const starts = block.flatMap((line, index) => (/^[$~] /.test(line) ? [index] : []));
  if (block.length > 0 && starts[0] !== 0) throw new Error(`line ${firstLine}: a block begins with a command`);
  return starts.map((start, index) => {
    const lines = block.slice(start, starts[index + 1]);
    const more = lines.findIndex((line, at) => at > 0 && !line.startsWith('> '));
    const words = more < 0 ? lines.length : more;
    const command = lines
      .slice(0, words)
      .map((line) => line.slice(2))
      .join('\n');
    const printed = lines.slice(words);
    const exit = /^\[(\d+)\]$/.exec(printed.at(-1) ?? '');
    return {
      is: 'command',
      line: firstLine + start,
      command,
      waits: lines[0]?.startsWith('~') === true,
      expected: exit ? printed.slice(0, -1) : printed,
      exit: Number(exit?.[1] ?? 0),
    };
  });
}
