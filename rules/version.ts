/** Whether resourceVersion `a` is later than `b`: both are decimal numbers that may exceed 53 bits. */
export const isLater = (a: string, b: string): boolean => (a.length === b.length ? a > b : a.length > b.length);
