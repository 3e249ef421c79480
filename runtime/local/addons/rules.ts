/** How the simulation treats charts and servers of a name: a line of the ConfigMap `simulated-addons`. */
export interface AddonRule {
  /** The name of the chart or of the server, with `*`. */
  readonly match: string;
  /** How long the Job of a chart runs, or a server starts. */
  readonly afterSeconds?: number;
  /** The Job of the chart fails. */
  readonly fails?: boolean;
  /** Nothing comes up. */
  readonly hang?: boolean;
  /** The phase that the Postgres operator reports, and stays in. */
  readonly phase?: string;
}

export const defaultAddons: Readonly<Record<'rules', string>> = {
  rules: `# How charts are installed and Postgres servers run in this simulation: a JSON list, the first line that
# matches the name of a chart (core-mysql-orders) or of a server (orders) is taken; this comment may stay.
#   match         the name, with *
#   afterSeconds  how long it takes: 1 when left out
#   fails         true: the Job of the chart fails
#   hang          true: nothing comes up
#   phase         the phase that a Postgres server stays in
[]
`,
};

const matches = ({ match }: AddonRule, name: string): boolean =>
  new RegExp(`^${match.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll('*', '.*')}$`).test(name);

/** The rule for a name; none where the text is not as it should be. */
export function addonRuleFor(text: string, name: string): AddonRule | undefined {
  try {
    const lines = text.split('\n').filter((line) => !line.trimStart().startsWith('#'));
    const rules: unknown = JSON.parse(lines.join('\n') || '[]');
    return Array.isArray(rules) ? (rules as readonly AddonRule[]).find((rule) => matches(rule, name)) : undefined;
  } catch {
    return undefined;
  }
}
