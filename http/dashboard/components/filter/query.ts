/** An address with one parameter of its query set, or taken away where it is empty. */
export function withParam(
  { path, search }: { readonly path: string; readonly search: string },
  name: string,
  value: string,
): string {
  const query = new URLSearchParams(search);
  if (value === '') query.delete(name);
  else query.set(name, value);
  const text = query.toString().replaceAll('%2C', ',');
  return text === '' ? path : `${path}?${text}`;
}
