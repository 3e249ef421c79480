/** What lies in the data directory cannot be used, said in one line for who runs the program; nothing was changed. */
export class BadData extends Error {
  override readonly name = 'BadData';
}
