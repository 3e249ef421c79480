/** What stands before the dot of functions that belong to no value. */
export const namespaces: ReadonlySet<string> = new Set(['format', 'lists', 'sets', 'strings']);

const standard =
  'all bool bytes contains double duration dyn endsWith exists existsOne exists_one filter has int map matches size startsWith string timestamp type uint ' +
  'getDate getDayOfMonth getDayOfWeek getDayOfYear getFullYear getHours getMilliseconds getMinutes getMonth getSeconds ' +
  'charAt format indexOf join lastIndexOf lowerAscii quote replace reverse split substring trim upperAscii ' +
  'distinct first flatten last range slice sort sortBy transformList transformMap transformMapEntry ' +
  'hasValue none of ofNonZeroValue optFlatMap optMap or orValue unwrap unwrapOpt value equivalent intersects';

const own =
  'add asApproximateFloat asInteger cidr compareTo containsCIDR containsIP family find findAll getEscapedPath getHost ' +
  'getHostname getPort getQuery getScheme ip isCIDR isCanonical isGlobalUnicast isGreaterThan isIP isInteger isLessThan ' +
  'isLinkLocalMulticast isLinkLocalUnicast isLoopback isQuantity isSemver isSorted isURL isUnspecified major masked max ' +
  'min minor named patch prefixLength quantity semver sign sub sum url validate ' +
  'byte date datetime dns1035Label dns1035LabelPrefix dns1123Label dns1123LabelPrefix dns1123Subdomain ' +
  'dns1123SubdomainPrefix labelValue qualifiedName uri uuid';

/** The names of the functions and macros that an API server knows. */
export const functions: ReadonlySet<string> = new Set(`${standard} ${own}`.split(' '));

/** Macros whose variables only an API server knows. */
export const declaresMore = /\.(?:transform\w*|sortBy)\(|\.(?:all|exists|exists_one|existsOne)\(\s*\w+\s*,\s*\w+\s*,/;
