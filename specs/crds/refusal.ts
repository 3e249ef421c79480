/** A variation of a valid object that is refused. */
export interface Refusal {
  /** The requirements it proves, and what it is. */
  readonly title: string;
  readonly path: string;
  /** Nothing there when undefined. */
  readonly value: unknown;
  /** Every fault, as `<field>: <why>`. */
  readonly says: readonly string[];
}

/** So many different labels. */
export const many = (count: number, name = 'a') => Array.from({ length: count }, (_, index) => `${name}${index}`);
/** A label of that length. */
export const long = (length: number) => 'a'.repeat(length);
const dns = '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$';
const bucket = '^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$';

/** A value that breaks a limit of its schema. */
export const invalid = (at: string, value: unknown, why: string) =>
  `${at}: Invalid value: ${JSON.stringify(value)}: ${at} in body ${why}`;
/** A text that does not match its pattern. */
export const unmatched = (at: string, value: string, pattern = dns) => invalid(at, value, `should match '${pattern}'`);
/** A value of another type. */
export const unlike = (at: string, found: string, type: string) =>
  invalid(at, found, `must be of type ${type}: "${found}"`);
/** A text beyond its length. */
export const tooLong = (at: string, limit: number) => `${at}: Too long: may not be more than ${limit} bytes`;
/** A required field that is not there. */
export const missing = (at: string) => `${at}: Required value`;
/** A word that is none of those known. */
export const unsupported = (at: string, value: string, ...values: readonly string[]) =>
  `${at}: Unsupported value: "${value}": supported values: ${values.map((one) => `"${one}"`).join(', ')}`;
/** A condition that does not hold. */
export const broken = (at: string, message: string) => `${at}: Invalid value: ${message}`;
/** A field that nobody knows. */
export const unknown = (field: string) => [`strict decoding error: unknown field "${field}"`];

/** One variation. */
export const row = (title: string, path: string, value: unknown, ...message: readonly string[]): Refusal => ({
  title,
  path,
  value,
  says: message,
});
/** The variation without a field. */
export const lacks = (title: string, path: string) => row(`${title} is missing`, path, undefined, missing(path));
/** The value next to one that is refused for its size, which is taken; undefined where the size is not the matter. */
export function nextTaken({ value, says: [fault = ''] }: Refusal): unknown {
  if (typeof value === 'number' && fault.includes('should be less than or equal to')) return value - 1;
  if (typeof value === 'number' && fault.includes('should be greater than or equal to')) return value + 1;
  if (Array.isArray(value) && fault.includes('Too many')) return value.slice(1);
  return /Too long|no more than \d+ characters/.test(fault) ? shorter(value) : undefined;
}

function shorter(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shorter);
  return typeof value === 'string' && /^a+$/.test(value) ? value.slice(1) : undefined;
}

/** A number below and above its range. */
export const range = (title: string, path: string, [min, max]: readonly [number, number]) => [
  row(`${title} is too small`, path, min - 1, invalid(path, min - 1, `should be greater than or equal to ${min}`)),
  row(`${title} is too large`, path, max + 1, invalid(path, max + 1, `should be less than or equal to ${max}`)),
];
/** What is no DNS label, and one that is too long. */
export const label = (title: string, path: string, limit: number) => [
  row(`${title} is no DNS label`, path, 'No_Label', unmatched(path, 'No_Label')),
  row(`${title} is too long`, path, long(limit + 1), tooLong(path, limit)),
];
/** Too many tags, one twice, and bad ones. */
export const tags = (title: string, path: string, limit = 8) => [
  row(`${title}: too many`, path, many(limit + 1), `${path}: Too many: ${limit + 1}: must have at most ${limit} items`),
  row(`${title}: one twice`, path, ['a', 'a'], `${path}[1]: Duplicate value: "a"`),
  row(`${title}: one is no DNS label`, path, ['A'], unmatched(`${path}[0]`, 'A')),
  row(`${title}: one is too long`, path, [long(41)], tooLong(`${path}[0]`, 40)),
];
/** A bucket with a bad name. */
export const places = (title: string, path: string) => [
  row(`${title} with a bad name`, path, 'No_Bucket', unmatched(path, 'No_Bucket', bucket)),
  row(`${title} with a long name`, path, long(64), tooLong(path, 63)),
  ...['10.0.0.1', 'a..b', 'a.-b', 'a-.b'].map((name) =>
    row(
      `${title} that no store makes: ${name}`,
      path,
      name,
      broken(
        path,
        `${JSON.stringify(name)}: must be the name of a bucket: its labels begin and end with a letter or digit, and it is no IP address`,
      ),
    ),
  ),
];
/** What is no image reference. */
export const noImages = (title: string, path: string) =>
  [
    'https://registry.example/team/app',
    'registry.example/team/my app',
    'registry.example/Team/app',
    'team/app:',
    '../app',
  ].map((value) =>
    row(
      `${title} ${JSON.stringify(value)}`,
      path,
      value,
      broken(
        path,
        `${JSON.stringify(value)}: must be an image reference such as registry.example/team/app:tag, without https:// and without spaces`,
      ),
    ),
  );

/** A text that no variable can have. */
export const nul = `a${String.fromCharCode(0)}`;

/** What is no host name, addresses in every spelling among it. */
export const noHosts = (title: string, path: string) =>
  ['127.0.0.1', '127.1', '0x7f.1', '127.0.0.1.', '::1', '[::1]', 'shop', 'shop.example.com:443', '*.example.com'].map(
    (host) =>
      row(
        `${title} ${JSON.stringify(host)}`,
        path,
        host,
        broken(path, `${JSON.stringify(host)}: must be a host name such as shop.example.com, without a port`),
      ),
  );

/** What is no branch, and the long spelling of one. */
export const noBranches = (path: string, at: string) =>
  ['refs/heads/main', 'a b', 'a..b', 'a~1', '/a', 'a/', 'a//b', '.a', 'a/.b', 'a.lock', '@{1}', '-a', 'a\\b', nul].map(
    (branch) =>
      row(
        `GIT-005 a branch that no repository has: ${JSON.stringify(branch)}`,
        path,
        { git: { repository: 'bakery/oven', branch } },
        broken(at, `${JSON.stringify(branch)}: must be the name of a branch such as main, without refs/heads/`),
      ),
  );

/** Addresses where names are wanted. */
export const noAddresses = (title: string, path: string) =>
  ['10.0.0.1', '127.1', 'example.0x7f'].map((name) =>
    row(
      `${title} ${JSON.stringify(name)}`,
      path,
      name,
      broken(path, `${JSON.stringify(name)}: must be a host name, not an IP address`),
    ),
  );

/** Patterns that no file of a repository matches. */
export const noWatchPaths = (path: string, at: string) =>
  ['', '/', './', '!', '!/', '..', '../x', 'a/../b', 'a/..', nul].map((pattern) =>
    row(
      `GIT-006 a watched path that no file matches: ${JSON.stringify(pattern)}`,
      path,
      { git: { repository: 'bakery/oven', watchPaths: [pattern] } },
      broken(
        at,
        `${JSON.stringify(pattern)}: must be a path in the repository such as apps/web/** or !docs/**, without ..`,
      ),
    ),
  );

/** Variations of which each proves a requirement of its own. */
export const proving = (ids: readonly string[], rows: readonly Refusal[]): readonly Refusal[] =>
  rows.map((one, at) => ({ ...one, title: `${ids[at] ?? ''} ${one.title}` }));
