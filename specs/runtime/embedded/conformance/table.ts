import type { Line } from './play.ts';

/** What two clusters answered, beside each other where they differ. */
export function differences(memory: readonly Line[], embedded: readonly Line[]): string {
  return memory
    .map(({ asked, answer }, index) => {
      const other = embedded[index]?.answer ?? '(not asked)';
      return answer === other
        ? `    ${asked}\n        ${answer}`
        : `  ≠ ${asked}\n        memory   ${answer}\n        embedded ${other}`;
    })
    .join('\n');
}
