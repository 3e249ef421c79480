import { maxValue } from '../rules/variableValue.ts';

/** The largest body of a request in bytes, where its route allows no more. */
export const usualAtMost = 64 * 1024;

/** The same for a body that sets a variable, whose value takes more room in JSON. */
export const variableAtMost = 2 * maxValue;
