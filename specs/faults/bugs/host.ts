import type { answer, Answer, Question } from './answering.ts';

/** A question to a bundled program. */
export interface BundleQuestion extends Question {
  readonly program: string;
}

/** The answer; or why nothing could be tried. */
export type Answered = Answer | { readonly failed: string };

interface Program {
  readonly answer: typeof answer;
}

async function answered({ program, ...question }: BundleQuestion): Promise<Answered> {
  try {
    const { answer } = (await import(program)) as Program;
    return await answer(question);
  } catch (thrown) {
    return { failed: String(thrown) };
  }
}

process.send?.('ready');
process.on('message', (message) => void answered(message as BundleQuestion).then((found) => process.send?.(found)));
process.on('disconnect', () => process.exit(0));
