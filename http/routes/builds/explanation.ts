import { Type } from '@sinclair/typebox';
import type { ReadonlyStatic } from '../../openapi/kit.ts';
import { explanation, explanations } from '../machines/explanation.ts';

export const buildExplanation = Type.Composite([explanation, explanations], { title: 'BuildExplanation' });
/** GET /api/v1/builds/{build}/explain: the one explanation of a build stands beside `items` too, as before. */
export type BuildExplanation = ReadonlyStatic<typeof buildExplanation>;
