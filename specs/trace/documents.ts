import { readSheet } from './sheet.ts';

/** A heading of a document, or a paragraph that begins with its own name (level 5). */
export interface Section {
  readonly document: string;
  readonly line: number;
  readonly level: number;
  readonly title: string;
}

/** Where the headings of the documents stand. */
export const documentsFile = 'specs/documents.tsv';

/** Reads the headings; a malformed sheet is refused with every fault. */
export const parseSections = (text: string, file: string = documentsFile): readonly Section[] =>
  readSheet(text, file, {
    columns: ['document', 'line', 'level', 'title'],
    key: ({ document, line, title }) => `${document} ${line} ${title}`,
    faults: ({ document, line, level, title }) => [
      ...(/^\d{3}$/.test(document) ? [] : [`"${document}" is not a document such as 000`]),
      ...(/^[1-9]\d*$/.test(line) ? [] : [`"${line}" is not a line`]),
      ...(/^[1-5]$/.test(level) ? [] : [`level "${level}" is not one of 1 to 5`]),
      ...(title === '' ? ['title is empty'] : []),
    ],
  }).map(({ document, line, level, title }) => ({ document, line: Number(line), level: Number(level), title }));

/** What a source names: a section of a document, a decision, or other words of ours. */
export type Cited =
  | { readonly is: 'section'; readonly document: string; readonly words: string; readonly section: Section | null }
  | { readonly is: 'decision'; readonly number: string }
  | { readonly is: 'words'; readonly words: string };

/** `2 / Events` of a requirement and `001 Events` of a table are the same. */
const documentOf = { '1': '000', '2': '001', '3': '002' } as const;
const inDocument = /^(?:([123]) \/|(00[012])) (.*)$/;

/** Everything that a source names, in its order. */
export const citedIn = (source: string, sections: readonly Section[]): readonly Cited[] =>
  source
    .split(/;\s*/)
    .filter((part) => part !== '')
    .flatMap((part): readonly Cited[] => {
      const [, short, long, words = ''] = inDocument.exec(part.trim()) ?? [];
      const document = short === undefined ? long : documentOf[short as keyof typeof documentOf];
      const decisions = [...part.matchAll(/\bdecisions? (\d+)/g)].map(([, number = '']): Cited => ({
        is: 'decision',
        number,
      }));
      if (document !== undefined)
        return [{ is: 'section', document, words, section: sectionNamed(words, of(document, sections)) }, ...decisions];
      return decisions.length > 0 ? decisions : [{ is: 'words', words: part.trim() }];
    });

const of = (document: string, sections: readonly Section[]) => sections.filter((each) => each.document === document);

/** The sections below one, up to the next of its level. */
function below(parent: Section, sections: readonly Section[]): readonly Section[] {
  const after = sections.slice(sections.indexOf(parent) + 1);
  const end = after.findIndex(({ level }) => level <= parent.level);
  return end === -1 ? after : after.slice(0, end);
}

/** `CoreBuild > Status` and `CoreBuild Status` are the Status below CoreBuild. */
function sectionNamed(words: string, sections: readonly Section[]): Section | null {
  const [first = '', ...rest] = words.split(' > ');
  const found = titled(first, sections) ?? spaced(first, sections);
  return found === null || rest.length === 0 ? found : sectionNamed(rest.join(' > '), below(found, sections));
}

const lower = ({ title }: Section) => title.toLowerCase().replace('[]', '');

/** By its title, with or without what points into it: `Build execution rules 6`, `Errors (inferred)`. */
function titled(words: string, sections: readonly Section[]): Section | null {
  const asked = words.toLowerCase();
  const pointsInto = (section: Section) =>
    asked.startsWith(lower(section)) && /^(|\[\]|,.*| ?\(.*| \d.*)$/.test(asked.slice(lower(section).length));
  return sections.find(({ title }) => title.toLowerCase() === asked) ?? sections.find(pointsInto) ?? null;
}

/** A title and that of a section below it; the fields of a resource without such a section stand in its own. */
function spaced(words: string, sections: readonly Section[]): Section | null {
  for (const section of sections) {
    const inside = words.slice(section.title.length + 1);
    if (!words.toLowerCase().startsWith(`${lower(section)} `)) continue;
    const found = titled(inside, below(section, sections)) ?? (/^(spec|status)\b/i.test(inside) ? section : null);
    if (found) return found;
  }
  return null;
}

/** A cited section in words: document, heading and line. */
export const citedText = ({ document, words, section }: Extract<Cited, { readonly is: 'section' }>): string =>
  section === null
    ? `document ${document}, "${words}", which is no heading of ${documentsFile}`
    : `document ${document}, line ${section.line}, "${section.title}"${section.title === words ? '' : ` (${words})`}`;
