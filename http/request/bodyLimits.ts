import { maxValue } from '../../rules/variableValue.ts';

/** The largest body of a request in bytes, where its route allows no more. */
export const maxBodyBytes = 64 * 1024;

/** The same for a body that sets a variable, whose value takes more room in JSON. */
export const maxVariableBytes = 2 * maxValue;
