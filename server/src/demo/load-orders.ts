import type pg from 'pg'

/**
 * Runs `work`, which fills `orders` over this connection, in one transaction and without secondary indexes and without
 * the trigger that counts; they are there again afterwards. Sorted all at once, an index costs a fraction of what its
 * rows cost one by one, and a trigger would first collect all rows. Nobody else can use `orders` meanwhile.
 */
export async function loadOrders(client: pg.ClientBase, work: () => Promise<void>): Promise<void> {
  await client.query('begin')
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
       from pg_index i where i.indrelid = 'orders'::regclass and not i.indisprimary order by 1`,
  )
  for (const { name } of indexes) await client.query(`drop index ${name}`)
  await client.query('alter table orders disable trigger user')
  await work()
  await client.query('alter table orders enable trigger user')
  // Made again on the whole table, as it was: `only` would leave out what is in the partitions.
  for (const { definition } of indexes) await client.query(definition.replace(' ON ONLY ', ' ON '))
  await client.query('commit')
}
