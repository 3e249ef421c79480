import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { forkProgram } from '../../support/program.ts';
import type { Answer, Question } from './answering.ts';
import type { Answered, BundleQuestion } from './host.ts';
import { type Bundle, sharedReplaceable } from './replaceableBundle.ts';

/** A process that runs the product with planted bugs, one question at a time; one that hangs is killed and replaced. */
export interface Hosting {
  readonly ask: (question: Question) => Promise<Answer>;
  readonly end: () => void;
}

/** The product in a bundle in which its functions can be replaced, made when it is first asked for. */
export interface Replaceable {
  readonly program: () => Promise<string>;
  readonly end: () => Promise<void>;
}

/** A plan normally takes some hundredths of a second. */
const answerWithinMs = 60_000;
const script = new URL('host.ts', import.meta.url);
const answering = fileURLToPath(new URL('answering.ts', import.meta.url));

export function makeReplaceable(): Replaceable {
  let bundle: Promise<Bundle> | null = null;
  return {
    program: async () => (await (bundle ??= sharedReplaceable(answering))).program,
    end: async () => (await bundle)?.end(),
  };
}

export function makeHosting({ program }: Replaceable): Hosting {
  let host: ChildProcess | null = null;
  /** A host that ends before it is ready was never the product, so that nothing is said of a bug. */
  let isReady = false;
  const end = () => {
    host?.removeAllListeners();
    host?.kill('SIGKILL');
    host = null;
    isReady = false;
  };
  const askHost = (asked: BundleQuestion) =>
    new Promise<Answer>((resolve, reject) => {
      host ??= forkProgram(script);
      const settled = () => {
        clearTimeout(timer);
        host?.removeAllListeners();
      };
      const over = (how: string) => {
        settled();
        end();
        resolve({ wrong: [how], reached: true });
      };
      const timer = setTimeout(() => over('it does not come to an end'), answerWithinMs);
      host.on('message', (message) => {
        isReady = true;
        if (message === 'ready') return;
        settled();
        const answered = message as Answered;
        if ('failed' in answered) reject(new Error(answered.failed));
        else resolve(answered);
      });
      host.on('exit', (code) => {
        const text = `it ends itself with ${String(code)}`;
        if (isReady) return over(text);
        settled();
        end();
        return reject(new Error(text));
      });
      host.send(asked);
    });
  return { ask: async (question) => askHost({ ...question, program: await program() }), end };
}
