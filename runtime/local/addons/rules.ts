/** How the simulation treats charts, servers and backups of a name: a line of the ConfigMap `simulated-addons`. */
export interface AddonRule {
  /** The name of the chart, of the server, of the Job of a dump or of a Backup, with `*`. */
  readonly match: string;
  /** How long the Job of a chart runs, or a server starts. */
  readonly afterSeconds?: number;
  /** The Job of the chart, the dump or the Backup fails; the change log of a Postgres server is not saved. */
  readonly fails?: boolean;
  /** Nothing becomes ready, and a dump or a Backup never ends. */
  readonly hang?: boolean;
  /** The phase that the Postgres operator reports, and stays in. */
  readonly phase?: string;
}

export const defaultAddons: Readonly<Record<'rules', string>> = {
  rules: `# How charts are installed, Postgres servers run and backups end in this simulation: a JSON list, the first line
# that matches a name is taken; this comment may stay. Names are those of a chart (core-mysql-orders), of a server
# (orders), of the Job of a dump (orders-backup-*, orders-final) and of a Backup (orders-2*, orders-final).
#   match         the name, with *
#   afterSeconds  how long it takes: 1 when left out
#   fails         true: the Job of the chart, the dump or the Backup fails; the change log of a server is not saved
#   hang          true: nothing comes up; a dump or a Backup never ends
#   phase         the phase that a Postgres server stays in
[]
`,
};

const matches = ({ match }: AddonRule, name: string): boolean =>
  new RegExp(`^${match.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll('*', '.*')}$`).test(name);

/** The rule for a name; none for an invalid text. */
export function addonRuleFor(text: string, name: string): AddonRule | undefined {
  try {
    const lines = text.split('\n').filter((line) => !line.trimStart().startsWith('#'));
    const rules: unknown = JSON.parse(lines.join('\n') || '[]');
    return Array.isArray(rules) ? (rules as readonly AddonRule[]).find((rule) => matches(rule, name)) : undefined;
  } catch {
    return undefined;
  }
}
