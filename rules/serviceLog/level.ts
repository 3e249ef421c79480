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
const thrown = /^[\w.$]*(?:Error|Exception):$/;
/** Times, process ids and the like may stand before the word. */
const isPrefix = (word: string): boolean => /\d/.test(word) || /^[[(<]/.test(word);
const wordsLooked = 6;

/** A word of a sentence is in small letters, and has neither brackets nor a colon. */
function ofWord(word: string): LogLevel | undefined {
  const core = word.replace(/^[[(<]+/, '').replace(/[\])>:]+$/, '');
  if (thrown.test(word)) return 'error';
  return core !== word || core === core.toUpperCase() ? named(core) : undefined;
}

const uncaught = /^(?:Exception in thread|Traceback \(most recent call last\):)/;

function ofLeadingWord(line: string): LogLevel | undefined {
  if (uncaught.test(line)) return 'error';
  for (const word of line.split(/\s+/, wordsLooked)) {
    const level = ofWord(word);
    if (level !== undefined || !isPrefix(word)) return level;
  }
  return undefined;
}

/** How bad a line says it is, by JSON, logfmt, klog or a leading word; `info` where it does not say. */
export function levelOf(line: string): LogLevel {
  const start = line.slice(0, 8_192).trimStart();
  const ofFormat =
    ofJson(line.trim()) ?? klogLevels[klog.exec(start)?.[1] ?? ''] ?? named(logfmt.exec(start)?.[1] ?? '');
  return ofFormat ?? ofLeadingWord(start) ?? 'info';
}

/** A level shows itself and what is worse. */
export const isShownAt = (level: LogLevel, wanted: LogLevel): boolean =>
  logLevels.indexOf(level) <= logLevels.indexOf(wanted);
