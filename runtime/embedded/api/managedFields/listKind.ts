/** How the items of a list are told apart: by keys, by their value, or not at all. */
export type ListKind =
  { readonly by: 'keys'; readonly keys: readonly string[] } | { readonly by: 'value' } | { readonly by: 'nothing' };
