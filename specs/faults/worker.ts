import { subjects } from './subjects/all.ts';
import { tryPath } from './trials.ts';
import type { PathRequest } from './workers.ts';

process.on('message', (message) => {
  const { lifecycle, path: name, pattern, ...extent } = message as PathRequest;
  const subject = subjects.find((one) => one.name === lifecycle);
  const path = subject?.paths.find((one) => one.name === name);
  if (!subject || !path) throw new Error(`there is no path ${lifecycle} / ${name}`);
  void tryPath(subject, path, { ...extent, wanted: (one) => pattern === null || one === pattern }).then(
    (tried) => process.send?.(tried),
    (thrown: unknown) => {
      process.stderr.write(`${lifecycle} / ${name}: ${String(thrown instanceof Error ? thrown.stack : thrown)}\n`);
      process.exit(1);
    },
  );
});
process.on('disconnect', () => process.exit(0));
