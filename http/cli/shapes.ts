import { anything, flag, items, list, number, object, optional, orNull, record, text } from '../apiClient/shape.ts';

/**
 * As much of the answers as the commands read. A field that a command can do without is optional, for a service of
 * another version may not send it; what is only printed as JSON is not checked.
 */
export const summaryShape = object({
  name: text,
  project: optional(text),
  environment: optional(text),
  state: optional(text),
  createdAt: optional(text),
  url: optional(text),
  details: optional(anything),
});
export const summariesShape = items(summaryShape);
export const namesShape = items(object({ name: text }));
/** Where the details decide which ones are listed. */
export const detailedShape = items(object({ name: text, details: anything }));

export const statusShape = object({
  name: optional(text),
  state: optional(text),
  message: optional(text),
  url: optional(text),
  ready: optional(flag),
  pendingChanges: optional(flag),
  sleeping: optional(flag),
  replicas: optional(orNull(object({ desired: optional(number), ready: optional(number) }))),
  scaleToZero: optional(orNull(object({ active: optional(flag), message: optional(text) }))),
  build: optional(orNull(object({ phase: text, failureReason: optional(text) }))),
});
export type Status = ReturnType<typeof statusShape>;

export const deploymentsShape = items(
  object({
    id: text,
    phase: optional(text),
    trigger: optional(text),
    actor: optional(text),
    changeTitle: optional(text),
    createdAt: optional(text),
    startedAt: optional(orNull(text)),
  }),
);

export const notedShape = object({ note: optional(text) });
export const environmentDeployedShape = object({
  deployed: list(text),
  refused: optional(list(object({ name: text, error: optional(text) }))),
});

export const logLineShape = object({ t: optional(text), pod: optional(text), line: text });
export type LogLine = ReturnType<typeof logLineShape>;
export const logShape = object({
  items: list(logLineShape),
  missing: optional(list(object({ pod: optional(text), why: optional(text) }))),
});

export const variablesShape = items(object({ name: text, kind: optional(text) }));
/** What was saved, and whether it waits for a deploy. */
export const savedShape = object({
  pending: optional(flag),
  pendingChanges: optional(flag),
  appliesAtOnce: optional(flag),
});
export type Saved = ReturnType<typeof savedShape>;
export const scaledShape = object({ replicas: optional(number), note: optional(text) });
export const namedShape = object({ name: text });

export const availableShape = object({ available: optional(flag), message: optional(text) });
export const metricsShape = object({ series: record(list(object({ v: number }))) });

export const connectionShape = object({
  host: optional(text),
  port: optional(text),
  database: optional(text),
  username: optional(text),
  password: optional(text),
  uri: optional(text),
});

export const functionAnswerShape = object({ status: number, body: optional(text) });
/** A schedule that was added, which is due at no time while it waits for a deploy. */
export const addedShape = object({ nextAt: optional(orNull(text)) });
export const triggersShape = items(
  object({ name: text, cron: optional(text), lastAt: optional(orNull(text)), nextAt: optional(orNull(text)) }),
);

export const requiredTagsShape = object({ requiredTags: optional(list(text)) });
export const complianceShape = object({
  checks: list(object({ check: optional(text), ok: flag, message: optional(text) })),
  resources: optional(
    list(object({ kind: optional(text), name: optional(text), compliant: flag, why: optional(text) })),
  ),
});

export const explanationShape = object({
  machine: optional(text),
  shown: optional(text),
  since: optional(text),
  text,
  nextCheckAt: optional(orNull(text)),
  nextLook: optional(orNull(text)),
  checkEveryMs: optional(number),
  restsUntil: optional(orNull(text)),
  failure: optional(orNull(object({ text: optional(text), count: optional(number) }))),
});
export const transitionsShape = object({
  items: list(
    object({
      machine: optional(text),
      from: optional(text),
      event: optional(text),
      to: text,
      by: optional(text),
      at: optional(text),
      text: optional(text),
    }),
  ),
  note: optional(text),
});
const countsShape = optional(orNull(record(number)));
export const machineShape = object({ counts: countsShape });
export const machinesShape = items(object({ name: text, counts: countsShape, retrying: optional(number) }));

export const archiveShape = object({
  status: optional(object({ restorePoints: optional(list(object({ id: text, time: optional(text) }))) })),
});

export const nodesShape = items(
  object({ name: text, state: optional(text), createdAt: optional(text), details: optional(anything) }),
);
