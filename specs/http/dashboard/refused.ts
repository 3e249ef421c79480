/** Phrases that the dashboard no longer uses; variable parts are left out. */
const patterns: readonly RegExp[] = [
  /\blooks? again\b/i,
  /\blook now\b/i,
  /nothing moves it by itself/i,
  /done: a push, a rebuild or a reset/i,
  /\bstands here\b/i,
  /\bgone before\b/i,
  /failed before its job|^before its job/i,
  /\b\d[\d,]* arrows?\b|\barrows? as a table|\barrows? that stays?\b|^arrows?$/i,
  /list what is in/i,
  /^asked$/,
  /at the next look/i,
  /an admin has to/i,
  /your role may read, not change/i,
  /only the current build (of|can)\b/i,
  /are given up\b/i,
  /^keep it$/i,
  /the server is not reached/i,
  /it is asked again/i,
  /what is shown was read before/i,
  /names nothing the dashboard shows/i,
  /this page needs no refresh/i,
  /no sign-in waits with this code/i,
  /^who ask(s|ed)$/i,
  /as it calls itself/i,
  /^failed for$/i,
  /^took$/i,
  /^keys$/i,
];

/** Whether a text says what was found unclear. */
export const isRefused = (text: string): boolean => patterns.some((pattern) => pattern.test(text));
