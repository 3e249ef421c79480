/** The values of a form by field; a switch is `on` or empty. */
export type FormValues = Readonly<Record<string, string>>;

/** The fields whose values are not those that the edit began with. */
export const unsaved = (before: FormValues, values: FormValues): readonly string[] =>
  Object.keys(values).filter((name) => values[name] !== before[name]);

/** The fields that the server has other values for than when the edit began, with those values. */
export const movedOn = (before: FormValues, server: FormValues): FormValues =>
  Object.fromEntries(Object.entries(server).filter(([name, value]) => before[name] !== value));

interface Named {
  readonly name: string;
  readonly label: string;
  readonly kind?: string;
}

const valueWord = (value: string, kind: string | undefined): string => {
  if (kind === 'switch' || kind === 'state') return value === 'on' ? 'on' : 'off';
  return value === '' ? 'empty' : value;
};

/** `Copies is now 3, Host is now empty`, for what somebody else has changed. */
export const offeredWords = (fields: readonly Named[], offered: FormValues): string =>
  fields
    .flatMap(({ name, label, kind }) => {
      const value = offered[name];
      return value === undefined ? [] : [`${label} is now ${valueWord(value, kind)}`];
    })
    .join(', ');

/** What a server shows of saved values, where it never shows those of these fields. */
export const storedOf = (hidden: readonly string[], sent: FormValues): FormValues => ({
  ...sent,
  ...Object.fromEntries(hidden.map((name) => [name, ''])),
});

/** Whether what is typed into a field of this kind is never shown again. */
export const isSecretKind = (kind: string | undefined): boolean => kind === 'secret' || kind === 'secretText';

export const secretsOf = (fields: readonly Pick<Named, 'name' | 'kind'>[]): readonly string[] =>
  fields.filter(({ kind }) => isSecretKind(kind)).map(({ name }) => name);

/** The field that a refusal begins with, after its article, by its name here or in the API; empty for none. */
export function refusedField(fields: readonly (Named & { readonly path?: string })[], refusal: string): string {
  const [first = '', second = ''] = refusal.split(/[\s:]/);
  const subject = /^an?$/i.test(first) ? second : first;
  return fields.find(({ name, path }) => subject === name || subject === path)?.name ?? '';
}

/** Words of a field that takes several, each once. */
export const wordsIn = (text = ''): readonly string[] => [
  ...new Set(text.split(/[\s,]+/).filter((word) => word !== '')),
];
