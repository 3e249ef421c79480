import type { ApiClient } from '../apiClient/client.ts';
import type { ConfigFile } from './config/file.ts';
import type { ResolveOptions as Resolving, Globals, Target } from './config/resolve.ts';
import type { Exit } from './exits.ts';
import type { Io } from './io.ts';
import type { Row } from './text/table.ts';

/** Which names complete an argument. */
export type NameSource = 'apps' | 'projects' | 'databases' | 'stores' | 'nodes' | 'contexts' | 'commands';

export interface Argument {
  /** `APP`, `[REPLICAS]` for one that may be left out, with `...` for several. */
  readonly name: string;
  readonly about: string;
  readonly completes?: NameSource;
  readonly choices?: readonly string[];
}

export interface Flag {
  /** `-f, --follow`, `--tail <n>`. */
  readonly flags: string;
  readonly about: string;
  readonly choices?: readonly string[];
  readonly otherwise?: string;
  /** The long name of a flag that cannot be given with it, as commander spells it: `alwaysOn`. */
  readonly conflicts?: string;
  /** The parameter of the API that it becomes, where that has another name: `q`. */
  readonly sends?: string;
  /** Checks the value; throws with what is wrong. */
  readonly check?: (text: string) => void;
  readonly repeats?: true;
}

/** What a command is run with. */
export interface Run {
  readonly args: readonly string[];
  /** The flags of the command itself, by name. */
  readonly flags: Readonly<Record<string, unknown>>;
  readonly globals: Globals;
  readonly io: Io;
  readonly resolving: () => Resolving;
  readonly config: () => ConfigFile;
  /** Whom it asks, or the failure that it is not signed in. */
  readonly target: () => Target;
  readonly client: () => ApiClient;
  readonly clientOf: (target: Pick<Target, 'address' | 'token'>) => ApiClient;
  /** Prints a result. */
  readonly print: (text: string) => Promise<void>;
  readonly json: (value: unknown) => Promise<void>;
  readonly table: (header: readonly string[], rows: readonly Row[]) => Promise<void>;
  /** Prints a table part by part. */
  readonly tableParts: (header: readonly string[]) => (rows: readonly Row[]) => Promise<void>;
  /** Prints a note or a step on the way. */
  readonly note: (text: string) => Promise<void>;
}

export interface Leaf {
  readonly is: 'command';
  readonly name: string;
  readonly aliases?: readonly string[];
  /** One sentence. */
  readonly about: string;
  readonly more?: string;
  readonly args?: readonly Argument[];
  readonly flags?: readonly Flag[];
  readonly examples: readonly string[];
  /** Codes besides 0, 1 and 2. */
  readonly exits?: readonly Exit[];
  /** Resolves to an exit code where it is not 0 and no failure was thrown. */
  readonly run: (run: Run) => Promise<Exit | void>;
}

export interface Group {
  readonly is: 'group';
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly about: string;
  readonly commands: readonly Command[];
}

export type Command = Leaf | Group;

export const command = (leaf: Omit<Leaf, 'is'>): Leaf => ({ is: 'command', ...leaf });
export const group = (of: Omit<Group, 'is'>): Group => ({ is: 'group', ...of });

/** The value of a flag; undefined where it was not given. */
export const textFlag = ({ flags }: Pick<Run, 'flags'>, name: string): string | undefined => {
  const value = flags[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
};
export const isSet = ({ flags }: Pick<Run, 'flags'>, name: string): boolean => flags[name] === true;
export const listFlag = ({ flags }: Pick<Run, 'flags'>, name: string): readonly string[] => {
  const value = flags[name];
  return Array.isArray(value) ? value.map(String) : [];
};
