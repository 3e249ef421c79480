import {
  invalid,
  label,
  lacks,
  long,
  many,
  noImages,
  places,
  proving,
  range,
  row,
  tooLong,
  unlike,
  unsupported,
  type Refusal,
} from './refusal.ts';

/** What is refused of the kinds that only the platform writes. */
export const refusalsWritten: Readonly<Record<string, readonly Refusal[]>> = {
  CoreBackupArchive: [
    lacks('BAK-035 the project', 'spec.project'),
    row('BAK-035 an empty project', 'spec.project', '', invalid('spec.project', '', 'should be at least 1 chars long')),
    lacks('BAK-036 the environment', 'spec.environment'),
    ...label('BAK-036 the environment', 'spec.environment', 63),
    ...proving(
      ['BAK-037', 'BAK-038', 'BAK-040', 'BAK-042'],
      ['database', 'databaseUID', 'serverName', 'storage'].map((name) => lacks(name, `spec.${name}`)),
    ),
    lacks('BAK-044 the bucket', 'spec.storage.bucket'),
    ...places('BAK-044 a bucket', 'spec.storage.bucket'),
    lacks('BAK-047 the retention', 'spec.retentionDays'),
    ...range('BAK-047 the retention', 'spec.retentionDays', [1, 365]),
    row(
      'BAK-049 an unknown engine',
      'spec.source.engine',
      'Oracle',
      unsupported('spec.source.engine', 'Oracle', '', 'Postgres', 'MySQL', 'SQLite', 'Redis'),
    ),
    row(
      'an end that is no time',
      'spec.deleteAfter',
      'soon',
      invalid('spec.deleteAfter', 'soon', 'must be of type date-time: "soon"'),
    ),
  ],
  CoreDeployment: [
    lacks('DEP-025 the service', 'spec.app'),
    lacks('DEP-026 the project', 'spec.project'),
    row('DEP-026 an empty project', 'spec.project', '', invalid('spec.project', '', 'should be at least 1 chars long')),
    lacks('DEP-027 the environment', 'spec.environment'),
    ...label('DEP-027 DEP-028 the environment', 'spec.environment', 63),
    lacks('DEP-029 the image', 'spec.image'),
    row('DEP-035 the copies as a text', 'spec.replicas', 'two', unlike('spec.replicas', 'string', 'integer')),
  ],
  CoreConsoleSession: [
    ...proving(
      ['CON-010', 'CON-011', 'CON-013', 'CON-015', 'CON-016'],
      ['app', 'project', 'environment', 'pod', 'container'].map((name) => lacks(name, `spec.${name}`)),
    ),
    row('CON-023 nine words', 'spec.command', many(9), 'spec.command: Too many: 9: must have at most 8 items'),
    row(
      'CON-024 a time limit as a text',
      'spec.timeoutSeconds',
      '300',
      unlike('spec.timeoutSeconds', 'string', 'integer'),
    ),
  ],
  CoreHAReadiness: [
    row(
      'a moment that is none',
      'spec.requestedAt',
      'now',
      invalid('spec.requestedAt', 'now', 'must be of type date-time: "now"'),
    ),
  ],
  CoreBuild: [
    lacks('the service', 'spec.app'),
    row('a service with a long name', 'spec.app', long(37), tooLong('spec.app', 36)),
    ...noImages('a registry that is no image reference', 'spec.registry'),
    row('a flag as a text', 'spec.cache', 'no', unlike('spec.cache', 'string', 'boolean')),
  ],
};
