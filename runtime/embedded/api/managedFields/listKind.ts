/** How the items of a list are identified: by keys, by their value, or not at all. */
export type ListKind =
  { readonly by: 'keys'; readonly keys: readonly string[] } | { readonly by: 'value' } | { readonly by: 'nothing' };
