import { hasFormat } from '../../schema/format.ts';
import { label, labelRule, labelValue, subdomainRule, valueRule } from '../../kinds/metadata.ts';
import { qualifiedNameWhys } from '../../kinds/qualifiedName.ts';
import { Opaque, Optional } from '../evaluate/values.ts';
import type { Functions } from './signature.ts';
import { parseUrl } from './url.ts';

type Whys = (text: string) => readonly string[];

/** A format by its name, which says why a text is not of it. */
class NamedFormat extends Opaque {
  override readonly typeName = 'kubernetes.NamedFormat';
  readonly name: string;
  readonly whys: Whys;
  constructor(name: string, whys: Whys) {
    super();
    this.name = name;
    this.whys = whys;
  }
  override equals(other: Opaque): boolean {
    return other instanceof NamedFormat && other.name === this.name;
  }
}

const like =
  (pattern: RegExp, longest: number, rule: string): Whys =>
  (text) => [
    ...(text.length > longest ? [`must be no more than ${longest} bytes`] : []),
    ...(pattern.test(text) ? [] : [rule]),
  ];

/** A beginning of a name may end with a hyphen, for more will follow it. */
const beginningOf =
  (whys: Whys): Whys =>
  (text) =>
    whys(text.length > 1 && text.endsWith('-') ? `${text.slice(0, -1)}a` : text);

const dnsLabel = like(new RegExp(`^${label}$`), 63, labelRule);
const subdomain = like(new RegExp(`^${label}(\\.${label})*$`), 253, subdomainRule);
const oldLabelRule =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
const oldLabel = like(/^[a-z]([-a-z0-9]*[a-z0-9])?$/, 63, oldLabelRule);

const ofSchema =
  (format: string, why: string): Whys =>
  (text) =>
    hasFormat(format, text) ? [] : [why];

const formats: Readonly<Record<string, NamedFormat>> = {
  dns1123Label: new NamedFormat('DNS1123Label', dnsLabel),
  dns1123Subdomain: new NamedFormat('DNS1123Subdomain', subdomain),
  dns1035Label: new NamedFormat('DNS1035Label', oldLabel),
  qualifiedName: new NamedFormat('QualifiedName', qualifiedNameWhys),
  dns1123LabelPrefix: new NamedFormat('DNS1123LabelPrefix', beginningOf(dnsLabel)),
  dns1123SubdomainPrefix: new NamedFormat('DNS1123SubdomainPrefix', beginningOf(subdomain)),
  dns1035LabelPrefix: new NamedFormat('DNS1035LabelPrefix', beginningOf(oldLabel)),
  labelValue: new NamedFormat('LabelValue', like(labelValue, 63, valueRule)),
  uri: new NamedFormat('URI', (text) => {
    const found = parseUrl(text);
    return typeof found === 'string' ? [found] : [];
  }),
  uuid: new NamedFormat('uuid', ofSchema('uuid', 'does not match the UUID format')),
  byte: new NamedFormat('byte', ofSchema('byte', 'invalid base64')),
  date: new NamedFormat('date', ofSchema('date', 'invalid date')),
  datetime: new NamedFormat('datetime', ofSchema('date-time', 'invalid datetime')),
};

/** Functions over formats. */
export const namedFormats: Functions = {
  'format.named(string): optional<kubernetes.NamedFormat>': (name: string) =>
    Object.hasOwn(formats, name) ? new Optional(formats[name]) : Optional.none,
  'kubernetes.NamedFormat.validate(string): optional<list<string>>': (format: NamedFormat, text: string) => {
    const whys = format.whys(text);
    return whys.length === 0 ? Optional.none : new Optional(whys);
  },
  ...Object.fromEntries(
    Object.entries(formats).map(([name, format]) => [`format.${name}(): kubernetes.NamedFormat`, () => format]),
  ),
};
