/** What a start tells on standard output: a line for each fact there is. */
export function say(facts: Readonly<Record<string, string | null>>): void {
  for (const [name, text] of Object.entries(facts)) if (text !== null) process.stdout.write(`${name} ${text}\n`);
}
