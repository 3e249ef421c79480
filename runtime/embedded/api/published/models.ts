import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Model, ModelField } from './definition.ts';

/** A model of the client: what it says of a type of the API and of each of its fields. */
export function readModel(dir: string, className: string): Model | null {
  const declaration = join(dir, `${className}.d.ts`);
  if (!existsSync(declaration)) return null;
  const declared = readFileSync(declaration, 'utf8');
  const types = attributeTypes(readFileSync(join(dir, `${className}.js`), 'utf8'));
  const comments = fieldComments(declared);
  const classComment = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*export declare class/.exec(declared)?.[1] ?? '';
  return {
    description: commentText(classComment),
    fields: types.map(({ name, baseName, type, format }) => {
      const { text = '', isOptional = true } = comments.get(name) ?? {};
      return { name: baseName, type, format, description: text, isOptional } satisfies ModelField;
    }),
  };
}

interface Attribute {
  readonly name: string;
  readonly baseName: string;
  readonly type: string;
  readonly format: string;
}

function attributeTypes(source: string): readonly Attribute[] {
  const list = /attributeTypeMap = (\[[\s\S]*?\n\]|\[\]);/.exec(source)?.[1] ?? '[]';
  return JSON.parse(list) as readonly Attribute[];
}

interface Comment {
  readonly text: string;
  readonly isOptional: boolean;
}

function fieldComments(declared: string): ReadonlyMap<string, Comment> {
  const body = declared.slice(declared.indexOf('export declare class'));
  const fields = body.matchAll(/(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*)?'([^']+)'(\?)?: /g);
  return new Map(
    [...fields].map(
      ([, comment = '', name = '', mark]) => [name, { text: commentText(comment), isOptional: mark === '?' }] as const,
    ),
  );
}

/** The text of a comment as the API publishes it: each paragraph on a line of its own. */
const commentText = (comment: string) =>
  comment
    .replace(/^\s*\* ?/gm, '')
    .trim()
    .replace(/\\(["'])/g, '$1')
    .replace(/\*_\//g, '*/')
    .replace(/(?<=\S) {2}(?=\S)/g, '\n\n');
