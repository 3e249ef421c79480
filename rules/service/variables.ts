/** The key in the Secret of a service's variables under which a value of a version stands. */
export const versionKey = (name: string, version: string): string => `${name}.${version}`;
