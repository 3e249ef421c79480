import { levelOfLetter } from './levelField.ts';
import { type LogLevel, levelNamed, levelNamedPlainly, levelOfSyslog } from './levels.ts';

/** Marks at the start of a line. */
const klog = /^([FEWI])\d{4}(?:\d{4})? \d\d:\d\d:\d\d/;
const ofRuby = /^([FEWID]), \[\d/;
const ofRedis = /^\d+:[MSCX] \d\d \w{3} \d{4} [\d:.]+ ([#*.-]) /;
const levelOfSymbol: Readonly<Record<string, LogLevel>> = { '#': 'warn', '*': 'info', '-': 'debug', '.': 'debug' };
const priority = /^<(\d{1,3})>/;

const levelOfMark = (text: string): LogLevel | undefined => {
  const [, prioritised] = priority.exec(text) ?? [];
  if (prioritised !== undefined) return levelOfSyslog(Number(prioritised));
  return (
    levelOfLetter[(klog.exec(text) ?? ofRuby.exec(text))?.[1] ?? ''] ?? levelOfSymbol[ofRedis.exec(text)?.[1] ?? '']
  );
};

/** Failures that are logged without a level. */
const failure =
  /^(?:Exception in thread\b|Traceback \(most recent call last\):|Uncaught |Unhandled |fatal error:|panic serving |thread '[^']*' (?:\(\d+\) )?panicked at|PHP (?:\w+ ){1,2}error:)/;
const thrown = /^[\w.$]*(?:Error|Exception):$/;
const warned = /^[\w.$]*Warning:$/;
const rootLogger = /^([A-Z]+):[^\s:]+:/;
const channel = /^[\w-]+\.([A-Z]+):$/;
const sinceStart = /^([A-Z]+)\[\d+\]$/;
const signs: Readonly<Record<string, LogLevel>> = { '⚠': 'warn', '⨯': 'error', '✖': 'error' };

/** The level of a word in the form of one: in capitals, with brackets or a colon, or as an error class. */
function levelWritten(word: string): LogLevel | undefined {
  if (thrown.test(word)) return 'error';
  const bare = word.replace(/^[[(<=]+/, '').replace(/[\])>:=,!]+$/, '');
  const level = bare !== word || bare === bare.toUpperCase() ? levelNamed(bare) : undefined;
  const [, inside] = rootLogger.exec(word) ?? channel.exec(word) ?? sinceStart.exec(word) ?? [];
  return level ?? (warned.test(word) ? 'warn' : (levelNamed(inside ?? '') ?? signs[word]));
}

const time = /\d:\d\d|^\d{4}[-/]\d\d[-/]\d\d|^\d{10}(?:\d{3}|\.\d+)?$|^\d\.\d+e\+\d+$/;
const isTime = (word: string): boolean => time.test(word);
const calendar = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec),?$/;
const zone = /^(?:[AP]M|[A-Z]{2,5})[,:]?$/;
/** Whether a word may precede a level: numbers, marks and database users. */
const isPrefix = (word: string): boolean => /\d|^[[(<]|^[^\p{L}]+$|\w@/u.test(word) || calendar.test(word);
const program = /^[\w./-]+:$/;
const tool = /^(?:npm|PHP)$/;
const loggerName = /^[\w./$-]+:?$/;

/** The level in brackets, alone or beside a time, a module or a process. */
function levelInGroup(group: string): LogLevel | undefined {
  const inner = group.slice(1).replace(/[\])>]:?$/, '');
  const parts = inner.trim().split(/[\s/]+/);
  if (parts.length === 1) return levelWritten(group) ?? levelNamed(parts[0]?.split(':').at(-1) ?? '');
  const isTimed = parts.some(isTime);
  return parts
    .map((part) => levelWritten(part) ?? (isTimed ? levelNamedPlainly(part) : undefined))
    .find((level) => level !== undefined);
}

const token = /\s*(?:(\[[^[\]]{0,120}\]:?|\([^()]{0,120}\):?|<[^<>\s]{0,120}>:?)|(\S+))/y;
const maxTokens = 12;
const maxNames = 2;

/** The state of the scan of a header. */
interface Seen {
  readonly isTimed: boolean;
  /** Whether a plain word is a level here. */
  readonly isPlainTaken: boolean;
  readonly names: number;
}

const nothing: Seen = { isTimed: false, isPlainTaken: false, names: 0 };

/** The state after a word that is not a level; null at the start of the message. */
function seenAfter(seen: Seen, word: string, isGroup: boolean): Seen | null {
  if (isTime(word)) return { ...seen, isTimed: true, isPlainTaken: true };
  if (isGroup || isPrefix(word) || (seen.isPlainTaken && zone.test(word))) return seen;
  if (tool.test(word)) return { ...seen, isPlainTaken: true };
  const isName = program.test(word) || (seen.isTimed && loggerName.test(word));
  return isName && seen.names < maxNames ? { ...seen, isPlainTaken: false, names: seen.names + 1 } : null;
}

const levelAt = (word: string, isGroup: boolean, seen: Seen): LogLevel | undefined =>
  isGroup
    ? levelInGroup(word)
    : (levelWritten(word) ??
      (seen.isPlainTaken ? (levelNamedPlainly(word) ?? (seen.isTimed ? levelOfLetter[word] : undefined)) : undefined));

function levelInWords(text: string): LogLevel | undefined {
  let seen = nothing;
  let at = 0;
  for (let count = 0; count < maxTokens; count += 1) {
    token.lastIndex = at;
    const [whole = '', group, word = group ?? ''] = token.exec(text) ?? [];
    if (whole === '') return undefined;
    if (failure.test(text.slice(at).trimStart())) return 'error';
    const level = levelAt(word, group !== undefined, seen);
    if (level !== undefined) return level;
    const after = seenAfter(seen, word, group !== undefined);
    if (after === null) return undefined;
    seen = after;
    at += whole.length;
  }
  return undefined;
}

const separated = /\s+[-–|]\s+/;

/** The level that is the first word after a tab, or a whole field between other separators. */
function levelInColumns(text: string): LogLevel | undefined {
  const afterTabs = text.split('\t', 5).slice(1);
  const words = afterTabs.map((field) => field.trimStart().split(/\s/, 1)[0] ?? '');
  const fields = separated.test(text) ? text.split(separated, 5) : [];
  return [...words, ...fields]
    .map((word) => levelWritten(word) ?? levelNamedPlainly(word))
    .find((level) => level !== undefined);
}

/** The level in the header of a line. */
export const levelInHeader = (text: string): LogLevel | undefined =>
  levelOfMark(text) ?? levelInWords(text) ?? levelInColumns(text);
