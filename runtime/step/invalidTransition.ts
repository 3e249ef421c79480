import { Data } from 'effect';
import type { StepRefusal } from './step.ts';

/** The failure of a pass or a command whose step was refused. */
export class InvalidTransition extends Data.TaggedError('InvalidTransition')<StepRefusal> {}
