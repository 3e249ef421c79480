import type { Table } from '../../machines/table.ts';
import type { Absence, RulesByState } from '../../rules/engine.ts';
import type { AnyStateMachine } from 'xstate';

/**
 * Where a state is stored: the status, spec and annotations of an object, a key of a Secret, memory of the process, or
 * a sealed cookie.
 */
type Storage = 'status' | 'object' | 'secret' | 'memory' | 'cookie';

/** What takes steps: a machine, its table (checked before anything is written) and its rules. */
export interface Stepper<Facts, State extends string, Event extends string> extends Pick<Table, 'rows' | 'absence'> {
  readonly name: string;
  readonly storage: Storage;
  readonly machine: AnyStateMachine;
  readonly rules: RulesByState<Facts, State | Absence, Event>;
}
