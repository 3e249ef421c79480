import * as z from 'zod';
import { tools } from './tools/all.ts';

/** The schema of an object as the protocol lists it. */
const listed = (schema: z.ZodObject, io: 'input' | 'output') => ({
  type: 'object' as const,
  ...schema['~standard'].jsonSchema[io]({ target: 'draft-2020-12' }),
});

/** The schemas of every tool, by its name. In what is built they stand as they are: working them out takes a tenth of a start. */
export const listedSchemas = Object.fromEntries(
  tools.map(({ name, input, output }) => [
    name,
    { inputSchema: listed(z.strictObject(input), 'input'), outputSchema: listed(z.looseObject(output), 'output') },
  ]),
);
