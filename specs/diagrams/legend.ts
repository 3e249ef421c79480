import { lineHeight, type Placed } from '../../http/dashboard/diagram/layout.ts';
import { endMark, loopMark, type Shape } from '../../http/dashboard/diagram/shapes.ts';
import { drawn, element, escaped } from './markup.ts';
import type { Pictured } from './pictured.ts';

/** What the marks of a picture mean, below it. */
export interface Legend {
  readonly height: number;
  readonly lines: readonly string[];
}

interface Entry {
  readonly mark: readonly Shape[];
  readonly words: string;
}

const charWidth = 6;
const rowHeight = 24;
const left = 24;

function entriesOf(pictured: Pictured): readonly Entry[] {
  const { model, leaving, refused } = pictured;
  const ways = [...new Set(leaving.flatMap(({ events }) => events))];
  const deleted = leaving.length === 0 ? [] : [{ mark: endMark, words: `may end here: ${ways.join(', ')}` }];
  return [
    ...(Object.keys(model.loops).length === 0
      ? []
      : [{ mark: loopMark, words: 'something happens and the state stays' }]),
    ...deleted,
    ...(refused.length === 0 ? [] : [{ mark: [], words: `no instance comes of: ${refused.join(', ')}` }]),
  ];
}

/** Words in lines that fit. */
function wrapped(words: string, width: number): readonly string[] {
  const most = Math.max(20, Math.floor(width / charWidth));
  const lines: string[] = [];
  for (const word of words.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > most) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

/** The legend of a picture, from its lower edge down. */
export function legendOf(pictured: Pictured, placed: Pick<Placed, 'width' | 'height'>): Legend {
  const lines: string[] = [];
  let y = placed.height + 12;
  for (const { mark, words } of entriesOf(pictured)) {
    const indent = mark.length === 0 ? left - 10 : left + 16;
    if (mark.length > 0)
      lines.push(element('g', { class: 'loop', transform: `translate(${left} ${Math.round(y)})` }, drawn(mark)));
    for (const [index, line] of wrapped(words, placed.width - indent - 10).entries()) {
      if (index > 0) y += lineHeight;
      lines.push(element('text', { class: 'note', x: indent, y: Math.round(y) + 4 }, escaped(line)));
    }
    y += rowHeight;
  }
  return { height: lines.length === 0 ? 0 : y - placed.height - 4, lines };
}
