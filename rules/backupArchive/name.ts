/** The name of the next archive of a server, and of its folder: with `-2`, `-3` ... beside earlier ones (decision 86). */
export function archiveName(serverName: string, earlier: readonly string[]): string {
  if (!earlier.includes(serverName)) return serverName;
  let number = 2;
  while (earlier.includes(`${serverName}-${number}`)) number++;
  return `${serverName}-${number}`;
}
