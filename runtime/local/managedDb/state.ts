import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

/** A login of a database, without its password. */
export interface KeptLogin {
  readonly id: string;
  readonly name: string;
  readonly username: string;
  readonly role: string;
  readonly inherits: readonly string[];
  readonly createdAt: number;
}

/** A database of the simulated provider. */
export interface StoredProvider {
  readonly name: string;
  readonly kind: 'mysql' | 'postgresql';
  readonly size: string;
  readonly createdAt: number;
  readonly logins: readonly KeptLogin[];
}

export interface ProviderState {
  readonly all: () => readonly StoredProvider[];
  readonly find: (organization: string, name: string) => StoredProvider | undefined;
  readonly put: (organization: string, database: StoredProvider) => void;
  readonly remove: (organization: string, name: string) => void;
}

/** The state of the simulated provider, in one file to survive restarts; null keeps it in memory. */
export function providerState(file: string | null): ProviderState {
  const kept = new Map<string, StoredProvider>(
    file !== null && existsSync(file)
      ? (JSON.parse(readFileSync(file, 'utf8')) as readonly (readonly [string, StoredProvider])[])
      : [],
  );
  const keyOf = (organization: string, name: string) => `${organization}/${name}`;
  const save = () => {
    if (file === null) return;
    writeFileSync(`${file}.new`, JSON.stringify([...kept]));
    renameSync(`${file}.new`, file);
  };
  return {
    all: () => [...kept.values()],
    find: (organization, name) => kept.get(keyOf(organization, name)),
    put: (organization, database) => {
      kept.set(keyOf(organization, database.name), database);
      save();
    },
    remove: (organization, name) => {
      kept.delete(keyOf(organization, name));
      save();
    },
  };
}
