/** The advisory locks of the database, each with a number of its own: two that share one would skip each other's turn. */
export const advisoryLocks = {
  /** One migration at a time. */
  migration: 7_205_160,
  /** Held by `fold_order_counters()` and, since moves keep both from folding, by `fold_device_counters()`. */
  orderCounters: 7_205_161,
  /** Held by `fold_income()`. */
  incomeRollups: 7_205_162,
  /** Shared by who needs the tree of organisations as it is; a move has it alone. */
  organisationTree: 7_205_163,
  /** With a hash of letters and width: one batch of devices at a time. */
  batchRange: 7_205_164,
  /** One model at a time is given its designation. */
  modelDesignation: 7_205_167,
  /** One process at a time looks for silent devices. */
  silentDevices: 7_205_165,
  /** Held by `fold_device_status()`. */
  deviceStatusDays: 7_205_166,
  /** One process at a time looks for alerts. */
  alerts: 7_205_140,
  /** One process at a time learns how often devices sell. */
  saleRhythms: 7_205_141,
  /** With a hash of whose rows they are and what they say: the same sheet once at a time. */
  sheetImport: 7_205_190,
  /** With the key of a row of `worker_processes`: its process lives. */
  workerProcess: 7301,
} as const
