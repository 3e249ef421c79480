import { Type } from '@sinclair/typebox';

/**
 * The value of a variable, without NUL, which would end it in an environment. A pattern, since a rule would need a
 * bound on its cost.
 */
export const variableValue = (options: object = {}) => Type.String({ pattern: String.raw`^[^\x00]*$`, ...options });
