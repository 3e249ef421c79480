import { isUnfinished, runText } from './interpreter.ts';
import { type Session, write } from './process.ts';
import type { Terminal } from './terminal.ts';

const banner = (pod: string, container: string) =>
  `This shell is simulated: no image runs in container ${container} of pod ${pod}. Type help for what it knows.\n`;

/** A shell that talks to somebody at a terminal, until they leave; answers with its exit code. */
export async function runInteractive(session: Session, terminal: Terminal, gone: AbortSignal): Promise<number> {
  const { podName, container, user } = session.place;
  await write(terminal.output, banner(podName, container), gone);
  for (;;) {
    const text = await readCommand(session, terminal, user.uid === 0 ? '#' : '$');
    if (text === null) return session.lastExit;
    await terminal.inForeground((stdin, interrupted) =>
      runText(text, session, { stdin, stdout: terminal.output, stderr: terminal.output, interrupted }),
    );
    if (session.exited !== null) return session.exited;
  }
}

/** A command that goes over several lines is asked for to its end. */
async function readCommand(session: Session, terminal: Terminal, mark: string): Promise<string | null> {
  let text = await terminal.readLine(`${session.directory} ${mark} `);
  while (text !== null && isUnfinished(`${text}\n`)) {
    const more = await terminal.readLine('> ');
    if (more === null) break;
    text = `${text}\n${more}`;
  }
  return text;
}
