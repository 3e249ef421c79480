/** From the worst to the mildest. */
export const logLevels = ['error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];

const words: Readonly<Record<LogLevel, string>> = {
  error: 'error err severe fatal critical crit alert emerg emergency panic',
  warn: 'warning warn',
  info: 'information info notice log',
  debug: 'debug dbg trace verbose fine finer finest',
};
const levelOfWord: ReadonlyMap<string, LogLevel> = new Map(
  logLevels.flatMap((level) => words[level].split(' ').map((word) => [word, level] as const)),
);

/** The numbers of pino and bunyan. */
function levelOfNumber(value: number): LogLevel {
  if (value >= 50) return 'error';
  if (value >= 40) return 'warn';
  return value >= 30 ? 'info' : 'debug';
}

const named = (word: string): LogLevel | undefined => levelOfWord.get(word.toLowerCase());

function ofValue(value: unknown): LogLevel | undefined {
  if (typeof value === 'number') return levelOfNumber(value);
  return typeof value === 'string' ? named(value) : undefined;
}

function ofJson(line: string): LogLevel | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const fields = JSON.parse(line) as Readonly<Record<string, unknown>>;
    return ['level', 'severity', 'lvl', 'log.level', 'levelname']
      .map((name) => ofValue(fields[name]))
      .find((level) => level !== undefined);
  } catch {
    return undefined;
  }
}

const logfmt = /(?:^|\s)(?:level|lvl|severity)="?([A-Za-z]+)"?(?=\s|$)/;
const klog = /^([IWEF])\d{4} \d{2}:\d{2}:\d{2}/;
const klogLevels: Readonly<Record<string, LogLevel>> = { I: 'info', W: 'warn', E: 'error', F: 'error' };
/** Times, process ids and brackets that stand before the word. */
const leading = /^(?:[[(]?[\d:.,/+TZ-]+[\])]?\s+|\[[^\]]{0,40}\]\s+){0,4}[[(<]?([A-Za-z]+)[\])>]?(:|\s|$|\])/;
/** Only in capitals, or before a colon or in brackets, is a word no part of a sentence. */
const standsApart = (word: string, line: string, after: string): boolean =>
  word === word.toUpperCase() || after === ':' || /[[(<]$/.test(line.slice(0, line.indexOf(word)));

function ofLeadingWord(line: string): LogLevel | undefined {
  const bracketed = /^[^A-Za-z]{0,60}[[(<]\s?([A-Za-z]+)\s?[\])>]/.exec(line)?.[1];
  const level = bracketed === undefined ? undefined : named(bracketed);
  if (level !== undefined) return level;
  const [, word = '', after = ''] = leading.exec(line) ?? [];
  if (/^(?:[A-Z]\w*)?(?:Error|Exception)$/.test(word) && after === ':') return 'error';
  return standsApart(word, line, after) ? named(word) : undefined;
}

/** How bad a line says it is, by JSON, logfmt, klog or a leading word; `info` where it does not say. */
export function levelOf(line: string): LogLevel {
  const start = line.slice(0, 8_192).trimStart();
  const ofFormat = ofJson(line.trim()) ?? klogLevels[klog.exec(start)?.[1] ?? ''] ?? named(logfmt.exec(start)?.[1] ?? '');
  return ofFormat ?? ofLeadingWord(start) ?? 'info';
}

/** A level shows itself and what is worse. */
export const isShownAt = (level: LogLevel, wanted: LogLevel): boolean =>
  logLevels.indexOf(level) <= logLevels.indexOf(wanted);
