import {
  anything,
  flag,
  items,
  list,
  number,
  object,
  oneOf,
  optional,
  orNull,
  record,
  text,
} from '../apiClient/shape.ts';

/** As much of the answers as the commands read; what is only printed as JSON is not checked. */
export const summaryShape = object({
  name: text,
  project: text,
  environment: text,
  state: text,
  createdAt: text,
  url: text,
  details: anything,
});
export const summariesShape = items(summaryShape);

const buildPhases = ['Pending', 'WaitingForCI', 'Running', 'Succeeded', 'Failed', 'Cancelled'] as const;

export const statusShape = object({
  name: text,
  state: oneOf('ready', 'pending', 'failed', 'draft', 'deleting'),
  message: text,
  url: text,
  ready: flag,
  pendingChanges: flag,
  sleeping: flag,
  replicas: orNull(object({ desired: number, ready: number })),
  scaleToZero: orNull(object({ active: optional(flag), message: optional(text) })),
  build: orNull(object({ phase: oneOf(...buildPhases), failureReason: text })),
});
export type Status = ReturnType<typeof statusShape>;

export const deploymentsShape = items(
  object({
    id: text,
    phase: text,
    trigger: text,
    actor: text,
    changeTitle: text,
    createdAt: text,
    startedAt: orNull(text),
  }),
);

export const deployedShape = object({ name: text, note: optional(text) });
export const environmentDeployedShape = object({
  deployed: list(text),
  refused: list(object({ name: text, error: text })),
});

export const logLineShape = object({ t: text, pod: text, line: text });
export type LogLine = ReturnType<typeof logLineShape>;
export const logShape = object({
  items: list(logLineShape),
  missing: optional(list(object({ pod: text, why: text }))),
});

export const variablesShape = items(object({ name: text, kind: text }));
export const pendingShape = object({ pending: flag });
export const scaledShape = object({ replicas: number });
export const createdShape = object({ name: text, deployed: flag, note: optional(text) });

export const metricsShape = object({
  available: flag,
  message: optional(text),
  series: record(list(object({ t: number, v: number }))),
});

export const connectionShape = object({
  host: text,
  port: text,
  database: text,
  username: text,
  password: optional(text),
  uri: optional(text),
});

export const functionAnswerShape = object({ status: number, body: text });
export const triggersShape = items(object({ name: text, cron: text, lastAt: orNull(text), nextAt: orNull(text) }));

export const complianceShape = object({
  project: text,
  requiredTags: list(text),
  checks: list(object({ check: text, ok: flag, message: text })),
  resources: list(object({ kind: text, name: text, environment: text, node: text, compliant: flag, why: text })),
});

export const explanationShape = object({
  name: text,
  machine: text,
  shown: text,
  since: text,
  text,
  nextLook: optional(orNull(text)),
  restsUntil: orNull(text),
  failure: optional(orNull(object({ text, count: number }))),
});
export const transitionsShape = object({
  items: list(object({ machine: text, from: text, event: text, to: text, by: text, at: text, text })),
  note: optional(text),
});
export const machineShape = object({ name: text, counts: orNull(record(number)), retrying: number });

export const archiveShape = object({
  resource: object({ name: text }),
  status: object({ restorePoints: optional(list(object({ id: text, time: text }))) }),
});

export const nodesShape = items(object({ name: text, state: text, createdAt: text, details: anything }));
