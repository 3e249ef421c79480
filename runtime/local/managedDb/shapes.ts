import type { StoredProvider, KeptLogin } from './state.ts';

/** Responses of the provider's published API, version 1, with the stored fields; others are those of a new database. */

const region = {
  id: 'local',
  provider: 'simulated',
  enabled: true,
  public_ip_addresses: [],
  display_name: 'Local',
  location: 'local',
  slug: 'local',
  current_default: true,
};
const actor = { id: 'core', display_name: 'Core', avatar_url: '' };
const iso = (ms: number) => new Date(ms).toISOString();

export const mainBranch = 'main';

export const databaseShape = ({ name, kind, createdAt }: StoredProvider, isReady: boolean) => ({
  id: `database-${name}`,
  url: '',
  branches_url: '',
  branches_count: 1,
  open_schema_recommendations_count: 0,
  development_branches_count: 0,
  production_branches_count: 1,
  issues_count: 0,
  multiple_admins_required_for_deletion: false,
  ready: isReady,
  at_backup_restore_branches_limit: false,
  at_development_branch_usage_limit: false,
  data_import: null,
  region,
  html_url: '',
  name,
  state: isReady ? 'ready' : 'pending',
  sharded: false,
  default_branch_shard_count: 0,
  default_branch_read_only_regions_count: 0,
  default_branch_table_count: 0,
  default_branch: mainBranch,
  require_approval_for_deploy: false,
  resizing: false,
  resize_queued: false,
  allow_data_branching: false,
  foreign_keys_enabled: false,
  automatic_migrations: false,
  restrict_branch_region: false,
  insights_raw_queries: false,
  plan: 'simulated',
  insights_enabled: false,
  production_branch_web_console: false,
  migration_table_name: '',
  migration_framework: '',
  created_at: iso(createdAt),
  updated_at: iso(createdAt),
  schema_last_updated_at: iso(createdAt),
  kind,
});

export const branchShape = ({ name, kind, size, createdAt }: StoredProvider, isReady: boolean) => ({
  id: `branch-${name}-main`,
  name: mainBranch,
  created_at: iso(createdAt),
  updated_at: iso(createdAt),
  deleted_at: null,
  restore_checklist_completed_at: null,
  schema_last_updated_at: iso(createdAt),
  kind,
  mysql_address: hostOf(name),
  mysql_edge_address: hostOf(name),
  state: isReady ? 'ready' : 'pending',
  direct_vtgate: false,
  vtgate_size: '',
  vtgate_count: 0,
  cluster_name: size,
  cluster_iops: 0,
  ready: isReady,
  schema_ready: isReady,
  metal: false,
  production: true,
  safe_migrations: false,
  sharded: false,
  shard_count: 1,
  stale_schema: false,
  actor,
  restored_from_branch: null,
  private_edge_connectivity: false,
  has_replicas: false,
  has_read_only_replicas: false,
  html_url: '',
  url: '',
  region,
  parent_branch: '',
});

const hostOf = (database: string) => `${database}.managed-db.local`;

/** A password of a branch of MySQL; its text is shown once, on creation. */
export const passwordShape = (
  database: StoredProvider,
  { id, name, username, role, createdAt }: KeptLogin,
  text: string,
) => ({
  id,
  name,
  role,
  cidrs: ['0.0.0.0/0', '::/0'],
  created_at: iso(createdAt),
  deleted_at: null,
  expires_at: null,
  last_used_at: null,
  expired: false,
  direct_vtgate: false,
  direct_vtgate_addresses: [],
  ttl_seconds: 0,
  access_host_url: hostOf(database.name),
  access_host_regional_url: hostOf(database.name),
  access_host_regional_urls: [hostOf(database.name)],
  actor,
  region,
  username,
  plain_text: text,
  replica: false,
  renewable: false,
  database_branch: {
    name: mainBranch,
    id: `branch-${database.name}-main`,
    production: true,
    mysql_edge_address: hostOf(database.name),
    private_edge_connectivity: false,
  },
});

/** A role of Postgres; its password is shown once, on creation. */
export const roleShape = (
  database: StoredProvider,
  { id, name, username, inherits, createdAt }: KeptLogin,
  text: string,
) => ({
  id,
  name,
  access_host_url: hostOf(database.name),
  private_access_host_url: '',
  private_connection_service_name: '',
  username,
  password: text,
  database_name: 'postgres',
  created_at: iso(createdAt),
  updated_at: iso(createdAt),
  deleted_at: null,
  expires_at: null,
  dropped_at: null,
  disabled_at: null,
  drop_failed: null,
  expired: false,
  default: false,
  ttl: 0,
  inherited_roles: inherits,
  branch: {
    id: `branch-${database.name}-main`,
    name: mainBranch,
    created_at: iso(database.createdAt),
    updated_at: iso(database.createdAt),
    deleted_at: null,
  },
  actor,
});

export const pageShape = <T>(all: readonly T[], page: number, perPage: number) => {
  const hasMore = page * perPage < all.length;
  return {
    current_page: page,
    next_page: hasMore ? page + 1 : null,
    next_page_url: null,
    prev_page: page > 1 ? page - 1 : null,
    prev_page_url: null,
    data: all.slice((page - 1) * perPage, page * perPage),
  };
};

const gibi = 1_073_741_824;

const size = (kind: string, at: number, ram: number) => ({
  name: `${kind === 'mysql' ? 'PS' : 'PG'}_${at * 10}`,
  display_name: `${kind === 'mysql' ? 'PS' : 'PG'}-${at * 10}`,
  cpu: `1/${8 / at}`,
  storage: 10 * gibi,
  ram: ram * gibi,
  metal: false,
  enabled: true,
  provider: 'simulated',
  default_vtgate: '',
  default_vtgate_rate: 0,
  replica_rate: 0,
  rate: 0,
  sort_order: at,
  architecture: 'x86-64',
  development: at === 1,
  production: true,
});

/** The available sizes of a kind of server. */
export const sizesFor = (kind: string) => [size(kind, 1, 1), size(kind, 2, 2), size(kind, 4, 4)];
