import type {
  AttentionList,
  Compliance,
  Connection,
  Created,
  Deployment,
  Done,
  EnvironmentDeployed,
  Explanation,
  Explanations,
  FoldedTransitions,
  FunctionAnswer,
  Items,
  LogEnd,
  Machine,
  Nodes,
  Read,
  Scaled,
  ServiceLog,
  ServiceLogLine,
  StatusItem,
  Summary,
  Trigger,
  Usage,
  Variable,
  VariableWritten,
} from '../api.ts';
import {
  answerOf,
  anything,
  flag,
  items,
  list,
  number,
  object,
  optional,
  orNull,
  record,
  text,
} from '../apiClient/shape.ts';

/**
 * As much of the answers as the commands read. A field that a command can do without is optional, for a service of
 * another version may not send it; what is only printed as JSON is not checked.
 */
export const summaryShape = answerOf<Summary>()(
  object({
    name: text,
    project: optional(text),
    environment: optional(text),
    state: optional(text),
    createdAt: optional(text),
    url: optional(text),
    details: optional(anything),
  }),
);
export const summariesShape = items(summaryShape);
export const namesShape = answerOf<Items<Summary>>()(items(object({ name: text })));
/** Where the details decide which ones are listed. */
export const detailedShape = answerOf<Items<Summary>>()(items(object({ name: text, details: anything })));

const reference = object({ kind: optional(text), name: optional(text) });
const causeFields = object({
  of: optional(text),
  reason: optional(text),
  severity: optional(text),
  message: text,
  hint: optional(text),
  on: optional(reference),
  root: optional(orNull(reference)),
  logLine: optional(text),
});

export const statusShape = answerOf<StatusItem>()(
  object({
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
    cause: optional(orNull(causeFields)),
  }),
);
export type Status = ReturnType<typeof statusShape>;

export const deploymentsShape = answerOf<Items<Deployment>>()(
  items(
    object({
      id: text,
      phase: optional(text),
      trigger: optional(text),
      actor: optional(text),
      changeTitle: optional(text),
      createdAt: optional(text),
      startedAt: optional(orNull(text)),
    }),
  ),
);

export const notedShape = answerOf<Done>()(object({ note: optional(text) }));
export const environmentDeployedShape = answerOf<EnvironmentDeployed>()(
  object({
    deployed: list(text),
    refused: optional(list(object({ name: text, error: optional(text) }))),
  }),
);

export const logLineShape = answerOf<ServiceLogLine>()(object({ t: optional(text), pod: optional(text), line: text }));
export type LogLine = ReturnType<typeof logLineShape>;
export const logEndShape = answerOf<LogEnd>()(object({ reason: optional(text) }));
export const logShape = answerOf<ServiceLog>()(
  object({
    items: list(logLineShape),
    missing: optional(list(object({ pod: optional(text), why: optional(text) }))),
  }),
);

export const variablesShape = answerOf<Items<Variable>>()(items(object({ name: text, kind: optional(text) })));
/** What was saved, and whether it waits for a deploy. */
export const savedShape = answerOf<VariableWritten & StatusItem>()(
  object({
    pending: optional(flag),
    pendingChanges: optional(flag),
    appliesAtOnce: optional(flag),
  }),
);
export type Saved = ReturnType<typeof savedShape>;
export const scaledShape = answerOf<Scaled>()(object({ replicas: optional(number), note: optional(text) }));
export const createdShape = answerOf<Created>()(object({ name: text }));

export const availableShape = answerOf<Usage>()(object({ available: optional(flag), message: optional(text) }));
export const metricsShape = answerOf<Usage>()(object({ series: record(list(object({ v: number }))) }));

export const connectionShape = answerOf<Connection>()(
  object({
    host: optional(text),
    port: optional(text),
    database: optional(text),
    username: optional(text),
    password: optional(text),
    uri: optional(text),
  }),
);

export const functionAnswerShape = answerOf<FunctionAnswer>()(object({ status: number, body: optional(text) }));
/** A schedule that was added, which is due at no time while it waits for a deploy. */
export const addedShape = answerOf<Trigger>()(object({ nextAt: optional(orNull(text)) }));
export const triggersShape = answerOf<Items<Trigger>>()(
  items(object({ name: text, cron: optional(text), lastAt: optional(orNull(text)), nextAt: optional(orNull(text)) })),
);

export const requiredTagsShape = answerOf<Compliance>()(object({ requiredTags: optional(list(text)) }));
export const complianceShape = answerOf<Compliance>()(
  object({
    checks: list(object({ check: optional(text), ok: flag, message: optional(text) })),
    resources: optional(
      list(object({ kind: optional(text), name: optional(text), compliant: flag, why: optional(text) })),
    ),
  }),
);

export const explanationShape = answerOf<Explanation>()(
  object({
    machine: optional(text),
    shown: optional(text),
    since: optional(text),
    text,
    nextCheckAt: optional(orNull(text)),
    nextLook: optional(orNull(text)),
    checkEveryMs: optional(number),
    restsUntil: optional(orNull(text)),
    failure: optional(orNull(object({ text: optional(text), count: optional(number) }))),
  }),
);
export const causesShape = answerOf<Explanations>()(object({ causes: optional(list(causeFields)) }));
export type Causes = ReturnType<typeof causesShape>;
export const attentionShape = answerOf<AttentionList>()(
  items(
    object({
      word: optional(text),
      object: optional(object({ kind: optional(text), name: text })),
      cause: optional(causeFields),
      holdsUpCount: optional(number),
      since: optional(text),
    }),
  ),
);
export const transitionsShape = answerOf<FoldedTransitions>()(
  object({
    items: list(
      object({
        machine: optional(text),
        from: optional(text),
        event: optional(text),
        to: text,
        by: optional(text),
        at: optional(text),
        last: optional(text),
        text: optional(text),
      }),
    ),
    note: optional(text),
  }),
);
const countsShape = optional(orNull(record(number)));
export const machineShape = answerOf<Machine>()(object({ counts: countsShape }));
export const machinesShape = answerOf<Items<Machine>>()(
  items(object({ name: text, counts: countsShape, retrying: optional(number) })),
);

export const archiveShape = answerOf<Read>()(
  object({
    status: optional(object({ restorePoints: optional(list(object({ id: text, time: optional(text) }))) })),
  }),
);

export const nodeShape = answerOf<Read>()(object({ spec: object({ tags: optional(list(text)) }) }));
export const nodesShape = answerOf<Nodes>()(
  items(object({ name: text, state: optional(text), createdAt: optional(text), details: optional(anything) })),
);
