import type { Context } from 'effect';
import type { KubeObject } from '../../../crds/kind.ts';
import type { Controller } from '../../../runtime/contract/controller.ts';
import type { Command as Move } from '../../../runtime/contract/command.ts';
import type { Operator } from '../../../runtime/operator.ts';
import type { Resource } from '../../../runtime/services/cluster/cluster.ts';
import type { Services } from '../../../runtime/start.ts';
import type { TestEnvironment } from '../../support/environment.ts';
import type { Trouble } from '../plan/trouble.ts';
import type { Called } from '../services/calls.ts';

/** A command to a running operator, as over REST; it is repeated until there is a response. */
export interface Command {
  readonly kind: string;
  readonly machine: string;
  readonly name: string;
  readonly asked: Move['asked'];
  /** The object that the command creates; without it the object already exists. */
  readonly object?: KubeObject;
}

/** An external action, carried out once its condition holds. */
export interface Act {
  readonly text: string;
  readonly when: (environment: TestEnvironment) => boolean;
  readonly edit?: (environment: TestEnvironment) => void;
  readonly command?: Command;
  /** What its person wants: the command is given again, a few times at most, whenever it came to something else. */
  readonly until?: (environment: TestEnvironment) => boolean;
  /** Asks what runs beside the operator of a process; asked of the next one where it dies before it is done. */
  readonly asks?: (beside: Beside) => Promise<void>;
}

/** What a process runs beside its operator, and what dies with it. */
export interface Beside {
  readonly asked: (what: string) => Promise<void>;
  readonly crash: () => Promise<void>;
}

/** Where it runs: the services of its process, on the time of the plan. */
export interface BesideGiven {
  readonly operator: Operator;
  readonly services: Context.Context<Services>;
  readonly environment: TestEnvironment;
}

/** An external actor that acts by itself: the nodes, a provider. */
export interface Actor {
  /** Acts once if it is due; returns what it did as text, or null. */
  readonly act: (now: number) => string | null;
  /** The time (ms) of its next action, Infinity for none. */
  readonly nextAt: () => number;
}

/** One path of a managed object, described from outside. */
export interface Path {
  readonly name: string;
  readonly given: (environment: TestEnvironment) => void;
  readonly script: readonly Act[];
  readonly actors: (environment: TestEnvironment) => readonly Actor[];
  /** The states in which it may converge without external changes. */
  readonly ends: readonly string[];
  /** The differences that the documents allow when it was disturbed by these troubles. */
  readonly mayDiffer?: (difference: string, troubles: readonly Trouble[]) => boolean;
  /** The writes of a restart, although everything rests, because what failed is tried once more. */
  readonly mayWrite?: (write: Called) => boolean;
}

/** Checks one life while it runs; returns all violations as text. */
export interface Oracle {
  /** Called after every change in the cluster, whatever made it. */
  readonly look: (changed: KubeObject) => readonly string[];
  /** Called once everything has converged. */
  readonly atRest: () => readonly string[];
}

/** One lifecycle or kind under fault injection. */
export interface FaultSubject {
  readonly name: string;
  /** The tables against which the recorded transitions are checked. */
  readonly tables: readonly string[];
  readonly controllers: () => readonly Controller[];
  readonly beside?: (given: BesideGiven) => Promise<Beside>;
  readonly alsoSeen: readonly Resource[];
  /** Its controllers may remove what users wrote, because a life ends with its object. */
  readonly removes?: boolean;
  /**
   * The spec that the operator must derive from a written object, according to the documents; without it the spec stays
   * as written. What only the operator knows, as a time, is taken from the object that is left.
   */
  readonly repaired?: (written: KubeObject, left: KubeObject) => KubeObject;
  /** A write that is made again and again for as long as an object lives: a path converges although it is made. */
  readonly recurs?: (write: Called) => boolean;
  readonly paths: readonly Path[];
  /** The state of the instance that the paths describe; empty while there is none. */
  readonly state: (environment: TestEnvironment) => string;
  /** External changes that plans may make, by name. */
  readonly userEdits: Readonly<Record<string, (environment: TestEnvironment) => void>>;
  /**
   * `byHand`: the plan makes an external change that is not part of the path; `late`: a leader stands still in it, so that
   * one write comes long after it was decided.
   */
  readonly oracle: (environment: TestEnvironment, hasUserEdits: boolean, late: boolean) => Oracle;
}
