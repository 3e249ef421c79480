import type { KindName } from '../../crds/kinds.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Spec and status of an object, redacted for a view. */
export interface RedactedFields {
  readonly spec: Fields;
  readonly status: Fields;
}

/** The additions of a kind to the line of its instances. */
interface Line {
  /** The field of the status that explains the state better than the newest move does. */
  readonly reason?: string;
  /** The extra columns, by name, with the field of the object that fills each. */
  readonly columns: Readonly<Record<string, readonly [part: keyof RedactedFields, field: string]>>;
}

export const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const lines: Readonly<Partial<Record<KindName, Line>>> = {
  CoreBuild: { reason: 'failureReason', columns: { app: ['spec', 'app'], commit: ['status', 'sourceRevision'] } },
  CoreDeployment: { columns: { app: ['spec', 'app'] } },
  CoreDatabase: { columns: { engine: ['spec', 'engine'] } },
};

const lineOf = (kind: string): Line => lines[kind as KindName] ?? { columns: {} };

/** The reason for an object's state from its own status; empty where its kind or it has none. */
export const reasonIn = (kind: string, status: Fields): string => text(status[lineOf(kind).reason ?? '']);

/** The columns of a kind that an object fills; a loop, because a list has thousands of them. */
export function columnsOf(kind: string, copy: RedactedFields): Readonly<Record<string, string>> {
  const filled: Record<string, string> = {};
  const { columns } = lineOf(kind);
  for (const column in columns) {
    const [part, field] = columns[column] ?? ['spec', ''];
    const value = text(copy[part][field]);
    if (value !== '') filled[column] = value;
  }
  return filled;
}
