import type { KubeObject } from '../../../crds/kind.ts';
import type { Controller } from '../../../runtime/lifecycle.ts';
import type { Command as Move } from '../../../runtime/pass/move.ts';
import type { Resource } from '../../../runtime/services/cluster.ts';
import type { World } from '../../support/world.ts';

/** A command to a running operator, as over REST; it is repeated until it is answered. */
export interface Command {
  readonly kind: string;
  readonly machine: string;
  readonly name: string;
  readonly asked: Move['asked'];
  /** What it is to create; without it something stands already. */
  readonly object?: KubeObject;
}

/** Something done from outside once its moment has come. */
export interface Act {
  readonly text: string;
  readonly when: (world: World) => boolean;
  readonly hand?: (world: World) => void;
  readonly command?: Command;
}

/** What acts by itself outside: the nodes, a provider. */
export interface Actor {
  /** Acts once, if it is time; in words what it did, or null. */
  readonly act: (now: number) => string | null;
  /** When it acts next by itself (ms), infinitely late if never. */
  readonly nextAt: () => number;
}

/** One life of something that is managed, told from outside. */
export interface Path {
  readonly name: string;
  readonly given: (world: World) => void;
  readonly script: readonly Act[];
  readonly actors: (world: World) => readonly Actor[];
  /** The states in which it may come to rest, when nothing was changed by hand. */
  readonly ends: readonly string[];
  /** Which differences the documents allow when it was disturbed. */
  readonly mayDiffer?: (difference: string) => boolean;
}

/** Judges one life as it goes; everything that must not be, in words. */
export interface Judge {
  /** Called after every change of the cluster, whoever made it. */
  readonly look: (changed: KubeObject) => readonly string[];
  /** Called once everything is at rest. */
  readonly atRest: () => readonly string[];
}

/** One lifecycle, or one kind, that is put through everything. */
export interface FaultSubject {
  readonly name: string;
  /** The tables that what its kinds recorded is held to. */
  readonly tables: readonly string[];
  readonly controllers: () => readonly Controller[];
  readonly alsoSeen: readonly Resource[];
  /** Its controllers may remove what people wrote: a life that ends with its object. */
  readonly removes?: boolean;
  /** What the documents have its operator make of an object that somebody wrote; left out, its spec stays as written. */
  readonly repaired?: (written: KubeObject) => KubeObject;
  readonly paths: readonly Path[];
  /** The state of the instance that the paths are about; empty while there is none. */
  readonly state: (world: World) => string;
  /** Changes by hand that plans may make, by their names. */
  readonly hands: Readonly<Record<string, (world: World) => void>>;
  /** `byHand`: somebody changes something that is not part of the path. */
  readonly judge: (world: World, byHand: boolean) => Judge;
}
