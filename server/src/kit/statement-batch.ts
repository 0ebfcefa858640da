import pg from 'pg'
import { serialize } from 'pg-protocol'

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

interface Shape {
  columns: { name: string; read(text: string): unknown }[]
  /** A row of nulls: copies of it have all their fields from the start, where fields added one by one are moved again and again. */
  empty: Row
}

const shapeless: Shape = { columns: [], empty: {} }

/** Shapes of the rows of statements that a connection has planned: it need not be asked for them again. */
const plannedOf = new WeakMap<pg.Connection, Map<string, Shape>>()

/** Names of our own: the driver keeps books of those that it plans. */
const planName = (name: string) => `b-${name}`

/**
 * Statements that are sent to a connection as one message and answered with one (the driver sends one, waits, and
 * sends the next). Each sees what was committed before it began. After one that fails, none is run.
 */
export class StatementBatch implements pg.Submittable {
  readonly #asked: readonly AskedStatement[]
  readonly #done: (error?: unknown) => void
  #planned = new Map<string, Shape>()
  #current = 0
  #shape = shapeless
  #rows: Row[] = []

  /** @param done is told when the connection is free; after an error what it has planned is not known any more */
  constructor(asked: readonly AskedStatement[], done: (error?: unknown) => void) {
    this.#asked = asked
    this.#done = done
  }

  submit(connection: pg.Connection): void {
    const planned = plannedOf.get(connection) ?? new Map<string, Shape>()
    plannedOf.set(connection, planned)
    this.#planned = planned
    this.#shape = this.#shapeOf(0)
    const sent = new Set<string>()
    const messages: Buffer[] = []
    for (const { text, values, name } of this.#asked) {
      const statement = name === undefined ? '' : planName(name)
      const isKnown = name !== undefined && planned.has(name)
      if (!isKnown && !sent.has(statement))
        messages.push(serialize.parse({ name: statement, text, types: [] }))
      if (name !== undefined) sent.add(statement)
      messages.push(serialize.bind({ statement, values }))
      if (!isKnown) messages.push(serialize.describe({ type: 'P' }))
      messages.push(serialize.execute())
    }
    messages.push(serialize.sync())
    connection.stream.write(Buffer.concat(messages))
  }

  #shapeOf(index: number): Shape {
    const name = this.#asked[index]?.name
    return (name !== undefined && this.#planned.get(name)) || shapeless
  }

  handleRowDescription({ fields }: { fields: pg.FieldDef[] }): void {
    this.#shape = {
      columns: fields.map(({ name, dataTypeID }) => ({ name, read: pg.types.getTypeParser(dataTypeID) })),
      empty: Object.fromEntries(fields.map(({ name }) => [name, null])),
    }
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const { columns, empty } = this.#shape
    const row = { ...empty }
    for (let index = 0; index < columns.length; index++) {
      const column = columns[index]
      const text = fields[index]
      if (column && text !== null && text !== undefined) row[column.name] = column.read(text)
    }
    this.#rows.push(row)
  }

  handleCommandComplete(): void {
    const asked = this.#asked[this.#current]
    if (asked?.name !== undefined) this.#planned.set(asked.name, this.#shape)
    asked?.resolve(this.#rows)
    this.#current++
    this.#rows = []
    this.#shape = this.#shapeOf(this.#current)
  }

  handleReadyForQuery(): void {
    this.#done()
  }

  handleError(error: unknown): void {
    for (const { reject } of this.#asked.slice(this.#current)) reject(error)
    this.#done(error)
  }
}
