import type { answer, Question } from './patched.ts';

/** A question to one of the patched programs. */
export interface Asked extends Question {
  readonly program: string;
}

interface Program {
  readonly answer: typeof answer;
}

process.on('message', (message) => {
  const { program, ...question } = message as Asked;
  void (import(program) as Promise<Program>)
    .then((patched) => patched.answer(question))
    .then(
      (wrong) => process.send?.(wrong),
      (thrown: unknown) => process.send?.([`it breaks: ${String(thrown)}`]),
    );
});
process.on('disconnect', () => process.exit(0));
