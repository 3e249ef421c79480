export const pageHelp =
  'A command line or an agent asks for a token of its own and shows a code of eight letters. Approve only a sign-in that you started yourself, or whose client you know.';
export const codeProblem = 'A code has eight letters, such as BCDF-GHJK.';
