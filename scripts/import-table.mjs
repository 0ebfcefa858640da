// Who may import whom. One table; scripts/check-imports.mjs reads it, and every edge that is not in it fails.

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
  devices: ['catalogue'],
  money: ['organisations'],
  payments: ['money'],
  members: ['payments', 'money'],
  orders: ['devices', 'catalogue', 'members', 'payments', 'money'],
  reports: ['organisations'],
  partners: ['orders', 'devices'],
}

/** A file that lies directly in server/src wires the rest together, except the settings, which everybody may read. */
export const serverOpenFiles = ['server/src/config.ts']

/** These wire everything together and are imported by no domain. */
export const serverWiring = ['app', 'demo', 'testing']

/** Only what wires a demo or a test together plays the outside world. */
export const sandboxUsers = ['demo', 'testing', 'app']

/** A domain of the console imports itself and these; what wires the screens together is in `app`. */
export const consoleOpenFolders = ['kit', 'locales']
