/** An action with the object that it is about: `Redeploy web`, `Deploy changes: web`. */
export function actionWord(word: string, of: string): string {
  if (word.endsWith(` ${of}`)) return word;
  return word.includes(' ') ? `${word}: ${of}` : `${word} ${of}`;
}
