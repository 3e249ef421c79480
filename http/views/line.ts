import type { KindName } from '../../crds/kinds.ts';
import type { Instance } from '../api.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Spec and status of an object, as far as a view is told of them. */
export interface ToldFields {
  readonly spec: Fields;
  readonly status: Fields;
}

/** What a kind adds to the line of its instances; `reason` says it better than the newest move does. */
export type Line = Pick<Instance, 'app' | 'commit'> & { readonly reason?: string };

export const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const lines: Readonly<Partial<Record<KindName, (told: ToldFields) => Line>>> = {
  CoreBuild: ({ spec, status }) => ({
    app: text(spec['app']),
    commit: text(status['sourceRevision']),
    reason: text(status['failureReason']),
  }),
};

export const lineOf = (kind: string, told: ToldFields): Line => lines[kind as KindName]?.(told) ?? {};
