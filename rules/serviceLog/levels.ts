/** From the most to the least severe. */
export const logLevels = ['error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];

/** The level names of loggers, including abbreviations of three or four letters. */
const words: Readonly<Record<LogLevel, string>> = {
  error:
    'error err severe fatal critical crit alert emerg emergency panic erro eror fata ftl pani pnc fail failed failure',
  warn: 'warning warn wrn deprecated deprecation',
  info: 'information info notice log inf',
  debug: 'debug dbg trace verbose fine finer finest debu dbug trac trce trc vrb silly',
};
const levelOfWord: ReadonlyMap<string, LogLevel> = new Map(
  logLevels.flatMap((level) => words[level].split(' ').map((word) => [word, level] as const)),
);

/** The level that a word names, whatever its case. */
export const levelNamed = (word: string): LogLevel | undefined => levelOfWord.get(word.toLowerCase());

/** Words that may also begin a message: they count only in capitals or with brackets or a colon. */
const alsoPlain = new Set('fine finer finest log fail failed failure deprecated deprecation alert'.split(' '));

/** The level of a plain word in the position of a level. */
export const levelNamedPlainly = (word: string): LogLevel | undefined =>
  alsoPlain.has(word.toLowerCase()) ? undefined : levelNamed(word);

const levelOfPriority: readonly LogLevel[] = ['error', 'error', 'error', 'error', 'warn', 'info', 'info', 'debug'];

/** The level of a syslog priority, which may include a facility. */
export const levelOfSyslog = (priority: number): LogLevel | undefined => levelOfPriority[priority % 8];

/** The level of a number: those of syslog are below 8, of pino and bunyan below 100, of Monolog above. */
export function levelNumbered(value: number): LogLevel | undefined {
  if (value < 8) return levelOfSyslog(value);
  const [error, warn, info] = value < 100 ? [50, 40, 30] : [400, 300, 200];
  if (value >= error) return 'error';
  if (value >= warn) return 'warn';
  return value >= info ? 'info' : 'debug';
}

/** Whether a line is shown at a level: lines of this level and more severe ones. */
export const isShownAt = (level: LogLevel, wanted: LogLevel): boolean =>
  logLevels.indexOf(level) <= logLevels.indexOf(wanted);
