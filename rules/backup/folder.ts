/** A folder of one path segment: anything else could be another folder, or the whole project. */
const segment = /^[a-zA-Z0-9](?:[-_.a-zA-Z0-9]*[a-zA-Z0-9])?$/;

/** The folder of an archive in its bucket, with the final slash, so that it is not a prefix of another's. */
export const folderPrefix = (project: string, serverName: string): string => `${project}/${serverName}/`;

/** The folder for scripts, without the final slash. */
export const folderOf = (project: string, serverName: string): string => `${project}/${serverName}`;

/** Whether everything under the folder of an archive may be removed: only when project and folder are segments. */
export const isOwnFolder = (project: string, serverName: string): boolean =>
  segment.test(project) && segment.test(serverName);

/** Whether a key is in the folder. Checked before each deletion, because a store may ignore a prefix. */
export const isInFolder = (key: string, prefix: string): boolean => isTwoDeep(prefix) && key.startsWith(prefix);

const isTwoDeep = (prefix: string): boolean => {
  const first = prefix.indexOf('/');
  return first !== -1 && prefix.indexOf('/', first + 1) === prefix.length - 1;
};
