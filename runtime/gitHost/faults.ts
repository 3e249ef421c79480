import picomatch from 'picomatch';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { type Answer, Refusal } from './answer.ts';

const rule = Type.Object(
  {
    // A glob over the path of a request, such as `/api/repos/demo/**`.
    path: Type.String({ minLength: 1 }),
    /** The status sent instead of the real response. */
    status: Type.Optional(Type.Integer({ minimum: 200, maximum: 599 })),
    /** Sent with `status`: a text as it is, anything else as JSON. */
    body: Type.Optional(Type.Unknown()),
    headers: Type.Optional(Type.Record(Type.String(), Type.String())),
    /** Sends no response at all; the connection stays open. */
    silent: Type.Optional(Type.Boolean()),
    /** Delays the response. */
    delayMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 600_000 })),
    /** The number of requests the rule applies to; all if absent. */
    times: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  { additionalProperties: false },
);
const rules = Type.Object({ rules: Type.Array(rule, { maxItems: 100 }) }, { additionalProperties: false });

export type FaultRule = Static<typeof rule>;

/** For testers: fault injection. The first rule whose path matches applies. */
export interface Faults {
  readonly set: (body: unknown) => void;
  readonly rules: () => readonly FaultRule[];
  /** The rule for a request, which counts as one use of it. */
  readonly take: (path: string) => FaultRule | null;
}

interface Active {
  readonly rule: FaultRule;
  readonly fits: (path: string) => boolean;
  left: number;
}

export function faults(): Faults {
  let active: readonly Active[] = [];
  return {
    set: (body) => {
      if (!Value.Check(rules, body)) {
        const error = Value.Errors(rules, body).First();
        throw new Refusal(422, `${error?.path ?? ''}: ${error?.message ?? 'these are no rules'}`);
      }
      active = body.rules.map((one) => ({
        rule: one,
        fits: picomatch(one.path, { dot: true }),
        left: one.times ?? Number.POSITIVE_INFINITY,
      }));
    },
    rules: () => active.map(({ rule: one, left }) => (Number.isFinite(left) ? { ...one, times: left } : one)),
    take: (path) => {
      const found = active.find(({ fits }) => fits(path));
      if (!found) return null;
      found.left -= 1;
      active = active.filter(({ left }) => left > 0);
      return found.rule;
    },
  };
}

/** The response of a rule; null where the real response follows. */
export function faultAnswer({ status, body, headers }: FaultRule): Answer | null {
  if (status === undefined) return null;
  return {
    status,
    ...(headers ? { headers } : {}),
    body: body ?? { message: 'a fault of the tester', status: String(status) },
  };
}
