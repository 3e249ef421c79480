import { Optional as optional, Type } from '@sinclair/typebox';
import { conditions, defineKind, history, type ObjectOf, observedGeneration, shape } from './kind.ts';
import { isUnchanged } from './unchanged.ts';

export const consoleSessionPhases = ['Pending', 'Active', 'Expired', 'Closed'] as const;

const terminal = Type.Object(
  {
    holder: shape.text('Process that holds the terminal.'),
    actor: optional(shape.text('Who attached: a user name, `token:<name>`, or `dashboard`.', { maxLength: 1024 })),
    since: shape.time('When the terminal was opened.'),
  },
  { description: 'The one open terminal; absent when there is none.', nullable: true },
);

const owedLine = Type.Object({
  line: shape.choice('Which line of the log.', ['opened', 'closed']),
  holder: shape.text('Holder of the terminal that the line is about.'),
  actor: optional(shape.text('Who attached to the terminal that the line is about.', { maxLength: 1024 })),
});

const spec = Type.Object({
  app: shape.text("CoreApp that the shell belongs to, or the cluster's object-store server.", { maxLength: 253 }),
  project: shape.text('Project ID; empty for the object-store server.', { maxLength: 253 }),
  environment: shape.text('Environment of the service; empty for the object-store server.', { maxLength: 63 }),
  pod: shape.text('Pod the shell runs in.', { maxLength: 253 }),
  container: shape.text('Container of the pod.', { maxLength: 63 }),
  actor: optional(shape.text('Who opened it: a user name, `token:<name>`, or `dashboard`.', { maxLength: 1024 })),
  command: optional(
    Type.Array(shape.text('A word of the command.', { maxLength: 65_536 }), {
      description: 'Command to run, at most eight words; `sh` alone is a login `bash` where the image has one.',
      maxItems: 8,
    }),
  ),
  timeoutSeconds: shape.count('Time limit; 300 is used in place of one below 1 or above 900.', { default: 300 }),
});

const limitIsRepaired = '(self.timeoutSeconds == 300 && (oldSelf.timeoutSeconds < 1 || oldSelf.timeoutSeconds > 900))';

/** The spec is immutable: it records who opened what. Only a limit out of range becomes 300. */
const specIsKept = {
  rule: Object.keys(spec.properties)
    .map((field) => (field === 'timeoutSeconds' ? `(${isUnchanged(field)} || ${limitIsRepaired})` : isUnchanged(field)))
    .join(' && '),
  message: 'the spec of a console session cannot be changed: open another one',
};

/** One terminal opened in a pod: records that a shell was opened, not what was typed. */
export const coreConsoleSession = defineKind({
  kind: 'CoreConsoleSession',
  plural: 'coreconsolesessions',
  shortNames: ['ccs'],
  describes: 'The record of a terminal opened in a pod. What is typed there is stored nowhere.',
  columns: [],
  spec: Type.Object(spec.properties, { 'x-kubernetes-validations': [specIsKept] }),
  status: Type.Object({
    phase: optional(
      shape.text('Where the session stands; empty before the first pass.', { enum: ['', ...consoleSessionPhases] }),
    ),
    startedAt: optional(
      shape.time('When the session became active; the time limit counts from it.', { nullable: true }),
    ),
    endedAt: optional(shape.time('When the session expired or closed.', { nullable: true })),
    reason: optional(shape.text('Why it ended: `Session timeout`, `Terminal closed` or `Stream ended`.')),
    terminal: optional(terminal),
    owedLines: optional(
      Type.Array(owedLine, {
        description:
          'Lines about terminals that the log still lacks: written by the holder, or by whoever finds it dead, and then removed.',
        nullable: true,
      }),
    ),
    conditions: optional(conditions),
    observedGeneration: optional(observedGeneration),
    history: optional(history),
  }),
});

export type CoreConsoleSession = ObjectOf<typeof coreConsoleSession>;
type ConsoleSessionStatus = NonNullable<CoreConsoleSession['status']>;
export type OwedLine = NonNullable<ConsoleSessionStatus['owedLines']>[number];
