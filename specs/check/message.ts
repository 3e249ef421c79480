const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A message of a table as a pattern: `<name>` stands for a value from the facts. */
export const messagePattern = (message: string): RegExp =>
  new RegExp(
    `^${message
      .split(/<[^<>]+>/)
      .map(escaped)
      .join('[^]*')}$`,
  );
