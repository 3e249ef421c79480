/** The change of a project by a request: a merge patch, null when nothing changes, or a refusal. */
export type ProjectChange =
  | { readonly is: 'changed'; readonly patch: object | null }
  /** `asked`: the request is wrong; `state`: the project does not allow it now. */
  | { readonly is: 'refused'; readonly by: 'asked' | 'state'; readonly says: string };

export const changed = (patch: object | null): ProjectChange => ({ is: 'changed', patch });
export const refusedAsAsked = (message: string): ProjectChange => ({ is: 'refused', by: 'asked', says: message });
export const refusedByState = (message: string): ProjectChange => ({ is: 'refused', by: 'state', says: message });
