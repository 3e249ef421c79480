import { invalidValue } from '../../schema/cause.ts';
import type { Cause } from '../../status.ts';

const labelRule =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

/** Why a text is no name of a host by RFC 1035. */
function labelWhys(text: string): readonly string[] {
  return [
    ...(text.length > 63 ? ['must be no more than 63 bytes'] : []),
    ...(/^[a-z]([-a-z0-9]*[a-z0-9])?$/.test(text) ? [] : [labelRule]),
  ];
}

/** What is wrong with a name that becomes part of paths. */
export function labelFaults(field: string, text: string): readonly Cause[] {
  const whys = labelWhys(text);
  return whys.length === 0 ? [] : [invalidValue(field, text, whys.join(','))];
}

/** What is wrong with a name that is one of those but for its capitals. */
export function mixedFaults(field: string, text: string): readonly Cause[] {
  const whys = labelWhys(text.toLowerCase());
  if (whys.length === 0) return [];
  return [invalidValue(field, text, `may have mixed case, but should otherwise match: ${whys.join(',')}`)];
}
