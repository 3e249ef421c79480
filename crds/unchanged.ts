/**
 * A CEL rule that a field is unchanged. It belongs on the object with the field, because a rule on a field is not
 * evaluated when the field is added or removed.
 */
export const isUnchanged = (field: string): string =>
  `has(self.${field}) == has(oldSelf.${field}) && (!has(self.${field}) || self.${field} == oldSelf.${field})`;
