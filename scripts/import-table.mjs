// Who may import whom, and whose tables SQL may name. scripts/check-imports.mjs and check-tables.mjs read it; every
// edge that is not in it fails.

/** Between workspaces, by the name after @chairside/. */
export const workspaceMayImport = {
  contract: [],
  server: ['contract'],
  console: ['contract'],
  paypage: ['contract'],
  sandbox: [],
  bench: ['contract', 'server', 'sandbox', 'e2e'],
  e2e: ['contract', 'server', 'sandbox'],
}

/**
 * Between the folders of server/src. A folder may also import what the folders named here may import: the rows name
 * the nearest neighbours, and together they have no cycle. What points the other way travels as a job or an event.
 */
export const serverMayImport = {
  kit: [],
  identity: ['kit'],
  organisations: ['identity'],
  catalogue: ['organisations'],
  devices: ['catalogue', 'notifications'],
  money: ['organisations'],
  payments: ['money'],
  members: ['payments', 'money'],
  orders: ['devices', 'catalogue', 'members', 'payments', 'money'],
  notifications: ['organisations'],
  reports: ['organisations'],
  partners: ['orders', 'devices'],
}

/** A file that lies directly in server/src wires the rest together, except the settings, which everybody may read. */
export const serverOpenFiles = ['server/src/config.ts', 'server/src/settings.ts']

/** These wire everything together and are imported by no domain. */
export const serverWiring = ['app', 'demo', 'testing']

/** Only what wires a demo or a test together plays the outside world. */
export const sandboxUsers = ['demo', 'testing', 'app']

/**
 * Whose each table is. The SQL of a domain names its own tables and those of domains that it may import. The tree of
 * organisations is the kit's, because every scope is a part of it; only organisations writes it.
 */
export const tablesOf = {
  kit: ['organisations', 'platform_settings', 'sheet_imports', 'worker_processes'],
  identity: [
    'account_places',
    'accounts',
    'audit_trail',
    'list_columns',
    'saved_views',
    'sessions',
    'sign_in_failures',
    'two_step_offers',
  ],
  organisations: ['organisation_letter_pairs', 'organisation_moves'],
  notifications: ['notification_receivers', 'notifications'],
  catalogue: ['banners', 'goods', 'goods_templates', 'pictures', 'places', 'upload_tokens'],
  devices: [
    'device_alert_devices',
    'device_alert_views',
    'device_alerts',
    'device_batches',
    'device_commands',
    'device_counter_deltas',
    'device_counters',
    'device_last_sales',
    'device_logs',
    'device_models',
    'device_mutes',
    'device_rhythms',
    'device_shelves',
    'device_states',
    'device_status_days',
    'device_status_deltas',
    'device_status_history',
    'device_symptoms',
    'device_totals',
    'devices',
    'dismissed_boards',
    'place_rhythms',
  ],
  money: [
    'income_days',
    'income_deltas',
    'income_place_days',
    'income_scope_days',
    'ledger_accounts',
    'ledger_entries',
    'ledger_transfers',
  ],
  payments: ['pay_channels', 'pay_routers', 'payment_notices', 'payments', 'provider_refunds'],
  members: ['customer_payers', 'customers', 'members'],
  orders: [
    'order_counter_deltas',
    'order_day_counters',
    'order_day_totals',
    'order_history',
    'order_month_counters',
    'order_month_totals',
    'orders',
    'refunds',
  ],
}

/** Reports sum up everything. What wires the rest together, such as the proof of the ledger, may name every table as well. */
export const namesEveryTable = ['reports']

/** Against the direction: a place and a template list their devices, and let them go when they are deleted. */
export const alsoNamesTables = { catalogue: ['devices'] }

/** Each folder of `serverMayImport` with all that it may import, itself included. */
export const serverReach = new Map(Object.keys(serverMayImport).map((folder) => [folder, reach(folder, [])]))

/** A cycle in the table itself is a mistake in the table. */
function reach(folder, trail) {
  if (trail.includes(folder)) throw new Error(`The table has a cycle: ${[...trail, folder].join(' → ')}`)
  const next = serverMayImport[folder]
  if (!next) throw new Error(`The table names ${folder}, which has no row.`)
  return new Set([folder, ...next.flatMap((each) => [...reach(each, [...trail, folder])])])
}

/** A domain of the console imports itself and these; what wires the screens together is in `app`. */
export const consoleOpenFolders = ['kit', 'locales']
