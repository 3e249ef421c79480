/**
 * In CEL, that a field is as it was. It is written for the object that has the field, because a rule on a field is not
 * evaluated when the field is added or removed.
 */
export const isUnchanged = (field: string): string =>
  `has(self.${field}) == has(oldSelf.${field}) && (!has(self.${field}) || self.${field} == oldSelf.${field})`;
