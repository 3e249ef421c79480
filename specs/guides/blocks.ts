/** A fenced `sh` block of a guide, and what the page says of it. */
export interface Block {
  /** Where its first command is. */
  readonly line: number;
  readonly commands: string;
  /** Why it does not run here, from a comment `<!-- not run: why -->` before it; null when it runs. */
  readonly notRun: string | null;
  /** Whether it runs until it is ended: a comment `<!-- in the background -->` before it. */
  readonly isBackground: boolean;
  /** What it prints: the fence without a language behind it, in the same section; null when the page shows nothing. */
  readonly prints: string | null;
}

interface Fence {
  readonly line: number;
  readonly language: string;
  readonly text: string;
  readonly comment: string;
  readonly section: number;
}

/** The `sh` blocks of a page in Markdown, in order. Throws where a fence is not closed. */
export function blocksOf(page: string): readonly Block[] {
  const fences = fencesOf(page);
  return fences.flatMap(({ line, language, text, comment, section }, at) => {
    if (language !== 'sh') return [];
    const next = fences[at + 1];
    return {
      line,
      commands: text,
      notRun: /^not run: (.+)$/s.exec(comment)?.[1] ?? null,
      isBackground: comment === 'in the background',
      prints: next?.language === '' && next.section === section ? next.text : null,
    };
  });
}

const opening = /^( *)```(\w*)$/;
const comment = /<!-- (.+?) -->\s*$/s;

function fencesOf(page: string): readonly Fence[] {
  const lines = page.split('\n');
  const fences: Fence[] = [];
  let section = 0;
  let before = '';
  for (let at = 0; at < lines.length; at++) {
    const text = lines[at] ?? '';
    const [, indent, language] = opening.exec(text) ?? [];
    if (indent === undefined || language === undefined) {
      if (/^#+ /.test(text)) section++;
      before += `${text}\n`;
      continue;
    }
    const end = lines.indexOf(`${indent}\`\`\``, at + 1);
    if (end === -1) throw new Error(`line ${at + 1}: the fence is not closed`);
    const inside = lines.slice(at + 1, end).map((line) => line.slice(indent.length));
    fences.push({
      line: at + 2,
      language,
      text: inside.join('\n'),
      comment: comment.exec(before)?.[1] ?? '',
      section,
    });
    before = '';
    at = end;
  }
  return fences;
}
