/** The images and charts of databases; each can be set by the environment. */
export interface DatabaseImages {
  /** The repository of the images of Postgres; the version is the tag. */
  readonly postgresImage: string;
  readonly sqliteImage: string;
  /** The image with the clients of MySQL, which create logical databases, dump, load: `mysql`, `mysqldump`, `gzip`, `od`. */
  readonly mysqlClientImage: string;
  readonly mysqlChart: string;
  readonly redisChart: string;
  readonly pgOperatorChart: string;
  /** The image that reads and replaces the file of SQLite's server: `curl`. */
  readonly httpClientImage: string;
  /** The image that converts between database files and dumps: `sqlite3` and `gzip`. */
  readonly sqliteClientImage: string;
  /** The image that uploads and downloads dumps: `rclone` and `gzip`. */
  readonly uploadImage: string;
}

export const databaseImages: DatabaseImages = {
  postgresImage: 'ghcr.io/cloudnative-pg/postgresql',
  sqliteImage: 'rqlite/rqlite:8.43.4',
  mysqlClientImage: 'mysql:8.4',
  mysqlChart: 'oci://registry-1.docker.io/bitnamicharts/mysql:14.0.3',
  redisChart: 'oci://registry-1.docker.io/bitnamicharts/redis:22.0.7',
  pgOperatorChart: 'https://cloudnative-pg.github.io/charts/cloudnative-pg:0.26.1',
  httpClientImage: 'docker.io/curlimages/curl:8.16.0',
  sqliteClientImage: 'docker.io/keinos/sqlite3:3.50.4',
  uploadImage: 'docker.io/rclone/rclone:1.71.0',
};

/**
 * The fields of a HelmChart that name the chart: `oci://<chart>:<version>`, or
 * `https://<repository>/<chart>:<version>`.
 */
export function chartFields(source: string) {
  const [, path = source, version] = /^(.*):([^:/]+)$/.exec(source) ?? [];
  const versioned = version === undefined ? {} : { version };
  if (path.startsWith('oci://')) return { chart: path, ...versioned };
  const at = path.lastIndexOf('/');
  return { repo: path.slice(0, at), chart: path.slice(at + 1), ...versioned };
}
