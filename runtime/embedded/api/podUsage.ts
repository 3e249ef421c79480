/** What a container or a machine used lately: `cpu` in cores, `memory` in bytes. */
export interface Used {
  readonly cpu: number;
  readonly memory: number;
}

/** The usage of the containers of a pod. */
export interface PodUsed {
  readonly uid: string;
  /** When it was read, in milliseconds, and over how many seconds. */
  readonly at: number;
  readonly seconds: number;
  readonly containers: Readonly<Record<string, Used>>;
}

export interface NodeUsed extends Used {
  readonly name: string;
  readonly at: number;
  readonly seconds: number;
}

/** Where the usage of pods and nodes comes from. */
export interface PodUsage {
  readonly pods: () => readonly PodUsed[];
  readonly nodes: () => readonly NodeUsed[];
}
