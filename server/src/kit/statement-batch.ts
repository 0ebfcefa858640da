import pg from 'pg'

type Row = Record<string, unknown>

/** A statement on its way, and who waits for its rows. */
export interface AskedStatement {
  text: string
  /** As the driver sends them. */
  values: (string | Buffer | null)[]
  /** Name under which the connection keeps its plan; none for a statement that is planned each time. */
  name: string | undefined
  resolve(rows: Row[]): void
  reject(error: unknown): void
}

interface Column {
  name: string
  read(text: string): unknown
}

/** Columns of the statements that a connection has planned: it need not be asked for them again. */
const plannedOf = new WeakMap<pg.Connection, Map<string, Column[]>>()

/** Names of our own: the driver keeps books of those that it plans. */
const planName = (name: string) => `b-${name}`

/**
 * Statements that are sent to a connection as one message and answered with one (the driver sends one, waits, and
 * sends the next). Each sees what was committed before it began. After one that fails, none is run.
 */
export class StatementBatch implements pg.Submittable {
  readonly #asked: readonly AskedStatement[]
  readonly #done: (error?: unknown) => void
  #planned = new Map<string, Column[]>()
  #current = 0
  #columns: Column[] = []
  #rows: Row[] = []

  /** @param done is told when the connection is free; after an error what it has planned is not known any more */
  constructor(asked: readonly AskedStatement[], done: (error?: unknown) => void) {
    this.#asked = asked
    this.#done = done
  }

  submit(connection: pg.Connection): void {
    const planned = plannedOf.get(connection) ?? new Map<string, Column[]>()
    plannedOf.set(connection, planned)
    this.#planned = planned
    this.#columns = this.#columnsOf(0)
    const sent = new Set<string>()
    connection.stream.cork()
    try {
      for (const { text, values, name } of this.#asked) {
        const statement = name === undefined ? '' : planName(name)
        const isKnown = name !== undefined && planned.has(name)
        if (!isKnown && !sent.has(statement)) connection.parse({ name: statement, text, types: [] }, true)
        if (name !== undefined) sent.add(statement)
        connection.bind({ statement, values }, true)
        if (!isKnown) connection.describe({ type: 'P' }, true)
        connection.execute(null, true)
      }
      connection.sync()
    } finally {
      connection.stream.uncork()
    }
  }

  #columnsOf(index: number): Column[] {
    const name = this.#asked[index]?.name
    return (name !== undefined && this.#planned.get(name)) || []
  }

  handleRowDescription({ fields }: { fields: pg.FieldDef[] }): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({ name, read: pg.types.getTypeParser(dataTypeID) }))
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const row: Row = {}
    for (let index = 0; index < fields.length; index++) {
      const column = this.#columns[index]
      const text = fields[index]
      if (column) row[column.name] = text === null || text === undefined ? null : column.read(text)
    }
    this.#rows.push(row)
  }

  handleCommandComplete(): void {
    const asked = this.#asked[this.#current]
    if (asked?.name !== undefined) this.#planned.set(asked.name, this.#columns)
    asked?.resolve(this.#rows)
    this.#current++
    this.#rows = []
    this.#columns = this.#columnsOf(this.#current)
  }

  handleReadyForQuery(): void {
    this.#done()
  }

  handleError(error: unknown): void {
    for (const { reject } of this.#asked.slice(this.#current)) reject(error)
    this.#done(error)
  }
}
