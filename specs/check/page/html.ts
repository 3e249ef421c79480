import { escaped } from '../../diagrams/markup.ts';
import { grouped } from '../../../http/dashboard/model/plural.ts';

/** Complete markup; any other text is escaped when it is inserted. */
export interface Markup {
  readonly markup: string;
}
export type Child = string | number | Markup | readonly Child[];
type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

const voids = ['br', 'input', 'meta', 'wbr'];

const attributesOf = (at: Attributes) =>
  Object.entries(at)
    .filter(([, value]) => value !== undefined && value !== false)
    .map(([name, value]) => (value === true ? ` ${name}` : ` ${name}="${escaped(String(value))}"`))
    .join('');

/** Children as markup: text is escaped, numbers get thousands separators. */
function markupOf(child: Child): string {
  if (typeof child === 'string') return escaped(child);
  if (typeof child === 'number') return grouped(child);
  return 'markup' in child ? child.markup : child.map(markupOf).join('');
}

/** Marks markup made elsewhere, which has escaped its own text. */
export const whole = (markup: string): Markup => ({ markup });

/** One element with its children. */
export const h = (tag: string, at: Attributes = {}, ...children: readonly Child[]): Markup =>
  whole(`<${tag}${attributesOf(at)}>${voids.includes(tag) ? '' : `${markupOf(children)}</${tag}>`}`);

/** A text in which backticks mark code. */
export const words = (text: string): readonly Child[] =>
  text.split('`').map((part, index) => (index % 2 === 1 && part !== '' ? h('code', {}, part) : part));

/** A list with a separator between its items. */
export const between = (items: readonly Child[], separator: Child): readonly Child[] =>
  items.flatMap((item, index) => (index === 0 ? [item] : [separator, item]));

/** A name that may break between its words. */
export const name = (text: string): readonly Child[] => between(text.split(/(?<=[a-z])(?=[A-Z])/), h('wbr'));
