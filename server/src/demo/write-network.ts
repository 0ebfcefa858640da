import { permissionIds } from '@chairside/contract'
import type pg from 'pg'
import { hashPassword } from '../identity/passwords.ts'
import { copyInto, type CopyValue } from './copy-rows.ts'
import { deviceModels } from './names.ts'
import type { DemoNetwork } from './network.ts'

/** The password of every demo login; only the demo has known passwords. */
export const demoPassword = 'demo1234'

export interface WriteNetworkOptions {
  /** What is kept of a board's password. */
  credentialHashOf(sid: string): Buffer
}

async function copyAll(
  client: pg.ClientBase,
  table: string,
  columns: readonly string[],
  rows: Iterable<readonly CopyValue[]>,
) {
  const copy = copyInto(client, table, columns)
  for (const row of rows) copy.add(row)
  await copy.end()
}

/** Writes a made-up network into empty tables. */
export async function writeNetwork(
  client: pg.ClientBase,
  network: DemoNetwork,
  options: WriteNetworkOptions,
): Promise<void> {
  await copyAll(
    client,
    'organisations',
    [
      'id',
      'parent_id',
      'kind',
      'path',
      'owner_user_name',
      'name',
      'status',
      'mobile',
      'address',
      'created_at',
      'created_by',
    ],
    network.organisations.map((one) => [
      one.id,
      one.parentId,
      one.kind,
      one.path,
      one.userName,
      one.name,
      one.locked ? 2 : 1,
      one.mobile,
      one.address,
      one.createdAt,
      'admin',
    ]),
  )
  await writeAccounts(client, network)
  await copyAll(
    client,
    'places',
    ['id', 'merchant_id', 'address', 'phone', 'open_time', 'close_time'],
    network.places.map((place) => [
      place.id,
      place.merchantId,
      place.address,
      place.phone,
      place.opens,
      place.closes,
    ]),
  )
  for (const { userName, placeIds } of network.subAccounts) {
    await client.query(
      'insert into account_places (account_id, place_id) select id, unnest($2::bigint[]) from accounts where user_name = $1',
      [userName, placeIds],
    )
  }
  await copyAll(
    client,
    'goods_templates',
    ['id', 'merchant_id', 'name', 'work_mode', 'sleep_start', 'sleep_end'],
    network.templates.map(({ id, merchantId, name, workMode }) => [
      id,
      merchantId,
      name,
      workMode,
      workMode ? '22:00' : null,
      workMode ? '08:00' : null,
    ]),
  )
  const year = new Date().getFullYear()
  await copyAll(
    client,
    'goods',
    [
      'id',
      'template_id',
      'merchant_id',
      'name',
      'name_en',
      'price_cents',
      'duration_minutes',
      'queue',
      'free_first',
      'member_only',
      'stock',
      'time_limited',
      'time_start',
      'time_end',
    ],
    network.goods.map((one) => [
      one.id,
      one.templateId,
      one.merchantId,
      one.name,
      one.nameEn,
      one.priceCents,
      one.durationMinutes,
      one.queue,
      one.freeFirst,
      one.memberOnly,
      one.stock,
      one.ofThisYear,
      one.ofThisYear ? `${year}-01-01` : null,
      one.ofThisYear ? `${year}-12-31` : null,
    ]),
  )
  await copyAll(
    client,
    'device_models',
    ['id', 'model', 'name', 'control_mode', 'sleep_mode', 'reset_seconds'],
    deviceModels.map(({ model, name, mode, sleep }, index) => [index + 1, model, name, mode, sleep, 5]),
  )
  await writeDevices(client, network, options)
  await writeSpareBatch(client)
  await copyAll(
    client,
    'members',
    ['id', 'merchant_id', 'mobile', 'name', 'sex'],
    network.members.map((member) => [member.id, member.merchantId, member.mobile, member.name, member.sex]),
  )
  await client.query(`
    insert into banners (merchant_id, enabled, success_text, front_lang, sleep_prompt)
    values (1, false, '感谢使用，关注我们享会员价 · Thank you, see you soon', 3, '');
    select setval(pg_get_serial_sequence(t, 'id'), 100000) from unnest(array['places', 'goods_templates', 'goods', 'device_models', 'devices', 'members', 'organisations']) t`)
}

async function writeAccounts(client: pg.ClientBase, network: DemoNetwork): Promise<void> {
  const passwordHash = await hashPassword(demoPassword)
  const columns = ['organisation_id', 'user_name', 'real_name', 'is_owner', 'password_hash', 'permission_ids']
  await client.query(
    `insert into accounts (id, organisation_id, user_name, real_name, is_owner, password_hash) values (1, 1, 'admin', '平台管理员', true, $1)`,
    [passwordHash],
  )
  const grants = { agent: permissionIds('agent'), merchant: permissionIds('merchant') }
  await copyAll(client, 'accounts', columns, [
    ...network.organisations.map((one) => [
      one.id,
      one.userName,
      one.name.slice(0, 20),
      true,
      passwordHash,
      grants[one.kind],
    ]),
    ...network.subAccounts.map((one) => [
      one.organisationId,
      one.userName,
      one.realName,
      false,
      passwordHash,
      one.permissionIds,
    ]),
  ])
}

async function writeDevices(
  client: pg.ClientBase,
  network: DemoNetwork,
  options: WriteNetworkOptions,
): Promise<void> {
  await copyAll(
    client,
    'devices',
    [
      'id',
      'sid',
      'name',
      'model_id',
      'merchant_id',
      'place_id',
      'template_id',
      'sleep_template_id',
      'bound',
      'bound_at',
      'locked',
      'credential_hash',
      'firmware',
    ],
    network.devices.map((device) => [
      device.id,
      device.sid,
      device.name,
      device.modelId,
      device.merchantId,
      device.placeId,
      device.templateId,
      device.sleepTemplateId,
      device.merchantId !== null,
      device.merchantId === null ? null : new Date(),
      device.locked,
      options.credentialHashOf(device.sid),
      '2.4.1',
    ]),
  )
  await client.query('insert into device_states (device_id) select id from devices on conflict do nothing')
}

/** The spare devices came in one batch: their ids count up. */
async function writeSpareBatch(client: pg.ClientBase): Promise<void> {
  await client.query(`
    with spare as (select min(sid) as first_sid, max(sid) as last_sid, count(*) as amount, min(model_id) as model_id
                     from devices where merchant_id is null and sid ~ '^N[0-9]+$'),
    made as (
      insert into device_batches (first_sid, last_sid, prefix, digits, first_number, amount, model_id, firmware)
      select first_sid, last_sid, 'N', length(first_sid) - 1, substr(first_sid, 2)::numeric, amount, model_id, '2.4.1'
        from spare where amount > 0 and length(first_sid) = length(last_sid)
                     and substr(last_sid, 2)::numeric - substr(first_sid, 2)::numeric = amount - 1
      returning id)
    update devices set batch_id = made.id from made where merchant_id is null and sid ~ '^N[0-9]+$'`)
}
