/** An element: its name, then its content, text and elements. */
export type Xml = readonly (Xml | string | null)[];

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string =>
  text
    .replaceAll(/[&<>"]/g, (character) => escapes[character] ?? '')
    // oxlint-disable-next-line no-control-regex
    .replaceAll(/[\u0000-\u001f]/g, (character) => `&#x${character.charCodeAt(0).toString(16)};`);

function written([name, ...content]: Xml): string {
  const inner = content.map((one) => (one === null ? '' : typeof one === 'string' ? escaped(one) : written(one)));
  return `<${String(name)}>${inner.join('')}</${String(name)}>`;
}

export function xmlText(root: Xml, namespace?: string): string {
  const text = written(root);
  const named = namespace === undefined ? text : text.replace(/^<([^>]+)>/, `<$1 xmlns="${namespace}">`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${named}`;
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const unescaped = (text: string): string =>
  text.replaceAll(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (_, hex?: string, decimal?: string, name?: string) => {
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
    return entities[name ?? ''] ?? '';
  });

/** The inner XML of each element of a name. */
export const elements = (xml: string, name: string): readonly string[] =>
  [...xml.matchAll(new RegExp(`<${name}(?:\\s[^>]*)?>([^]*?)</${name}>`, 'g'))].map(([, inner = '']) => inner);

/** The text of the first element of a name; null when there is none. */
export const textIn = (xml: string, name: string): string | null => {
  const [inner] = elements(xml, name);
  return inner === undefined ? null : unescaped(inner);
};
