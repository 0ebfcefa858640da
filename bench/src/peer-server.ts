import Fastify, { type FastifyRequest } from 'fastify'
import pg from 'pg'
import { conditionsOf, rowColumns, rowTables, type PlainQuery } from './peer-sql.ts'

/*
 * What the product is measured against, over the same fastify and pg: a bare `SELECT 1`, and the plain way. It checks
 * no token and no right, and writes no log.
 */

const pool = new pg.Pool({
  connectionString: process.env['DATABASE_URL'],
  max: 20,
  options: '-c timezone=UTC',
})
const app = Fastify()

const queryOf = (request: FastifyRequest): PlainQuery => {
  const { role, organisation, from, before } = request.query as Record<string, string>
  return {
    role: role as PlainQuery['role'],
    organisationId: Number(organisation),
    from: from ?? '',
    before: before ?? '',
  }
}

app.get('/healthz', async () => 'ok')

app.get('/limit', async () => (await pool.query('select 1')).rows)

/** The least that a list of so many organisations can cost: their rows, by ids that are known already. */
async function listByIds(request: FastifyRequest) {
  const { ids = '' } = request.query as Record<string, string>
  const { rows } = await pool.query({
    name: 'organisations',
    text: `select o.*, parent.name as parent_name, owner.user_name
             from organisations o left join organisations parent on parent.id = o.parent_id
             left join accounts owner on owner.organisation_id = o.id and owner.is_owner
            where o.id = any($1::bigint[])`,
    values: [ids.split(',')],
  })
  return rows
}

async function listPlainly(request: FastifyRequest) {
  const { where, values } = conditionsOf(queryOf(request))
  const { skip, take } = request.query as Record<string, string>
  const [page, count] = await Promise.all([
    pool.query(
      `select ${rowColumns} from ${rowTables} where ${where}
        order by o.order_time desc, o.order_id desc offset ${Number(skip)} limit ${Number(take)}`,
      values,
    ),
    pool.query<{ total: string }>(`select count(*) as total from orders o where ${where}`, values),
  ])
  return { list: page.rows, total: Number(count.rows[0]?.total) }
}

async function sumPlainly(request: FastifyRequest) {
  const { where, values } = conditionsOf(queryOf(request))
  const { rows } = await pool.query<{ sum: string }>(
    `select coalesce(sum(case when o.paid_at is null then 0 else o.fee_cents - o.refunded_cents end), 0) as sum
       from orders o where ${where}`,
    values,
  )
  return { sum: Number(rows[0]?.sum) }
}

app.get('/organisations', (request) => listByIds(request))
app.get('/orders', (request) => listPlainly(request))
app.get('/sum', (request) => sumPlainly(request))

await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) })
process.once('SIGTERM', () => void app.close().then(() => pool.end()))
