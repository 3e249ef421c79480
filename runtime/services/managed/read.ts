import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { ClusterSize, IssuedLogin } from '../managedDb.ts';

const as = <T extends TSchema>(schema: T, data: unknown): Static<T> | null => (Value.Check(schema, data) ? data : null);
const text = Type.String({ minLength: 1 });

const database = Type.Object({
  kind: text,
  ready: Type.Boolean(),
  state: Type.String(),
});
const branch = Type.Object({ ready: Type.Boolean() });
const named = Type.Object({ id: text, name: Type.String() });
const page = Type.Object({
  next_page: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
  data: Type.Array(named),
});
const password = Type.Object({ access_host_url: text, username: text, plain_text: text });
const role = Type.Object({
  access_host_url: text,
  username: text,
  password: text,
  database_name: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});
const sizes = Type.Array(
  Type.Object({
    name: text,
    display_name: Type.String(),
    cpu: Type.String(),
    storage: Type.Union([Type.Integer(), Type.Null()]),
    ram: Type.Integer(),
    enabled: Type.Boolean(),
    sort_order: Type.Integer(),
    architecture: Type.Union([Type.String(), Type.Null()]),
  }),
);

/** A database and whether it serves; the field `ready` alone is also true while it falls asleep. */
export const readDatabase = (data: unknown): { readonly kind: string; readonly ready: boolean } | null => {
  const read = as(database, data);
  return read && { kind: read.kind, ready: read.ready && read.state === 'ready' };
};

export const readBranch = (data: unknown): { readonly ready: boolean } | null => as(branch, data);

export interface LoginPage {
  /** Null on the last page. */
  readonly next: number | null;
  readonly logins: readonly { readonly id: string; readonly name: string }[];
}

export const readLogins = (data: unknown): LoginPage | null => {
  const read = as(page, data);
  return read && { next: read.next_page ?? null, logins: read.data };
};

const hostShape = /^(?:[a-z][a-z0-9+.-]*:\/\/)?([^/:]+)(?::(\d+))?\/?$/i;

/** A host, which may come as an address with scheme and port. */
function hostIn(address: string): Pick<IssuedLogin, 'host' | 'port'> {
  const [, host = address, port] = hostShape.exec(address) ?? [];
  return { host, port: port === undefined ? null : Number(port) };
}

export const readPassword = (data: unknown): IssuedLogin | null => {
  const read = as(password, data);
  return (
    read && { ...hostIn(read.access_host_url), database: null, username: read.username, password: read.plain_text }
  );
};

export const readRole = (data: unknown): IssuedLogin | null => {
  const read = as(role, data);
  return (
    read && {
      ...hostIn(read.access_host_url),
      database: read.database_name || null,
      username: read.username,
      password: read.password,
    }
  );
};

/** The available sizes, in the provider's order. */
export const readSizes = (data: unknown): readonly ClusterSize[] | null => {
  const read = as(sizes, data);
  return (
    read &&
    read
      .filter(({ enabled }) => enabled)
      .toSorted((a, b) => a.sort_order - b.sort_order)
      .map(({ name, display_name: displayName, cpu, ram, storage, architecture }) => ({
        name,
        displayName,
        cpu,
        memoryBytes: ram,
        storageBytes: storage ?? 0,
        architecture: architecture ?? '',
      }))
  );
};

/** Accepts any response. */
export const readNothing = (): true => true;
