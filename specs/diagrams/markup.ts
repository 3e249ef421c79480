import type { Shape } from '../../http/dashboard/diagram/shapes.ts';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text that is text wherever it stands in HTML or XML, between tags as in an attribute. */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);

/** Attributes of a tag, each with a space before it. */
const attributes = (at: Readonly<Record<string, string | number>>): string =>
  Object.entries(at)
    .map(([name, value]) => ` ${name}="${escaped(String(value))}"`)
    .join('');

/** An element; its content is markup already. */
export const element = (tag: string, at: Readonly<Record<string, string | number>>, content = ''): string =>
  content === '' ? `<${tag}${attributes(at)}/>` : `<${tag}${attributes(at)}>${content}</${tag}>`;

/** Shapes as markup, the same that the dashboard draws. */
export const drawn = (shapes: readonly Shape[]): string =>
  shapes.map(({ tag, at, text }) => element(tag, at, escaped(text ?? ''))).join('');
