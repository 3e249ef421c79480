/** Prints the facts of a start to standard output, one line each; null ones are left out. */
export function printFacts(facts: Readonly<Record<string, string | null>>): void {
  for (const [name, text] of Object.entries(facts)) if (text !== null) process.stdout.write(`${name} ${text}\n`);
}
