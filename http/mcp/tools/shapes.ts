import * as z from 'zod';

export const name = (of: string) => z.string().min(1).describe(`The name of the ${of}.`);
const place = (what: string) => z.string().optional().describe(`Only those of this ${what}.`);
/** Narrows a list to one project, one environment, or both. */
export const narrowed = { project: place('project'), environment: place('environment') };

export const tail = z
  .number()
  .int()
  .min(1)
  .max(1_000)
  .optional()
  .describe('At most so many of the newest lines; 200 if absent.');

const item = z.looseObject({});
export const aRead = { resource: item, spec: item, status: item };
export const named = { name: z.string() };
