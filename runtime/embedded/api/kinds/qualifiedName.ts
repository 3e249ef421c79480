const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const name = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const longestName = 63;
const longestPrefix = 253;

const nameRule =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const prefixRule =
  "prefix part a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

/** Why a text is no key of labels and annotations: a name, with a domain and a slash before it or without. */
export function qualifiedNameWhys(text: string): readonly string[] {
  const parts = text.split('/');
  if (parts.length > 2)
    return [`a valid label key ${nameRule} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  const [own = '', prefix] = parts.toReversed();
  return [...(prefix === undefined ? [] : prefixWhys(prefix)), ...nameWhys(own)];
}

function prefixWhys(prefix: string): readonly string[] {
  if (prefix === '') return ['prefix part must be non-empty'];
  return [
    ...(prefix.length > longestPrefix ? [`prefix part must be no more than ${longestPrefix} bytes`] : []),
    ...(subdomain.test(prefix) ? [] : [prefixRule]),
  ];
}

const nameWhys = (own: string): readonly string[] => [
  ...(own === '' ? ['name part must be non-empty'] : []),
  ...(own.length > longestName ? [`name part must be no more than ${longestName} bytes`] : []),
  ...(name.test(own) ? [] : [`name part ${nameRule}`]),
];
