import { maskedNumber, type OrganisationProfile } from '@chairside/contract'
import { sql, type Database } from '../kit/database.ts'
import { withinScope, type Scope } from '../kit/scope.ts'
import { advisoryLocks } from '../kit/advisory-locks.ts'

export type OrganisationKind = 'platform' | 'agent' | 'merchant'

/** The profile as it is stored. */
export type OrganisationRecord = Omit<OrganisationProfile, 'createTime'> & { createTime: Date }

/** A profile of `organisations o`, with the user name of its owner. */
export const organisationColumnsSql = sql`
  o.id, o.owner_user_name as "userId", o.name,
  case o.kind when 'platform' then '0' when 'agent' then '1' else '2' end as type, o.status::text as status,
  o.created_at as "createTime", o.telephone, o.mobile, o.email, o.address, o.remark, o.mch_id as "mchId", o.app_id as "appId",
  o.account_id as accountid, o.account_name as accountname, o.account_bank as accountbank`

/** As lists, forms, exports and the audit trail show it (decisions §1, "Private data"). */
export const asListed = (record: OrganisationRecord): OrganisationProfile =>
  profileOf(record, { mobile: maskedNumber(record.mobile), accountid: maskedNumber(record.accountid) })

/** As the organisation itself sees it. */
export const asOwned = (record: OrganisationRecord): OrganisationProfile => profileOf(record, record)

/** Made field by field, which takes a fraction of the time that copies of copies take. */
const profileOf = (
  record: OrganisationRecord,
  { mobile, accountid }: Pick<OrganisationProfile, 'mobile' | 'accountid'>,
): OrganisationProfile => ({
  id: record.id,
  userId: record.userId,
  name: record.name,
  type: record.type,
  status: record.status,
  createTime: record.createTime.toISOString(),
  telephone: record.telephone,
  mobile,
  email: record.email,
  address: record.address,
  remark: record.remark,
  mchId: record.mchId,
  appId: record.appId,
  accountid,
  accountname: record.accountname,
  accountbank: record.accountbank,
})

export interface OrganisationFound {
  id: number
  kind: OrganisationKind
  name: string
  parentId: number | null
  path: string
}

/** Organisations by id, as far as they are within a scope. */
export async function findOrganisationsById(
  db: Database,
  scope: Scope,
  ids: readonly number[],
): Promise<OrganisationFound[]> {
  const { rows } = await sql<OrganisationFound>`
    select o.id, o.kind, o.name, o.parent_id as "parentId", o.path::text as path from organisations o
     where o.id = any(${[...ids]}::bigint[]) and ${withinScope(scope, { merchantId: sql`o.id` })} order by o.id`.execute(
    db,
  )
  return rows
}

/** The profile of an organisation of a kind within a scope. */
export async function findProfile(
  db: Database,
  scope: Scope,
  kind: OrganisationKind,
  organisationId: number,
): Promise<OrganisationRecord | undefined> {
  const { rows } = await sql<OrganisationRecord>`
    select ${organisationColumnsSql} from organisations o
     where o.id = ${organisationId} and o.kind = ${kind} and ${withinScope(scope, { merchantId: sql`o.id` })}`.execute(
    db,
  )
  return rows[0]
}

/** The same, with the row locked for a change of it. */
export async function findProfileToChange(
  db: Database,
  scope: Scope,
  kind: OrganisationKind,
  organisationId: number,
): Promise<OrganisationRecord | undefined> {
  await sql`select 1 from organisations where id = ${organisationId} for no key update`.execute(db)
  return findProfile(db, scope, kind, organisationId)
}

/** Keeps the tree as it is until the transaction ends; moves wait. */
export async function holdTree(db: Database): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${advisoryLocks.organisationTree})`.execute(db)
}

export interface NewOrganisation {
  parentId: number
  ownerUserName: string
  kind: 'agent' | 'merchant'
  name: string
  telephone: string
  mobile: string
  email: string
  address: string
  remark: string
  mchId: string
  appId: string
  createdBy: string
}

/** Adds an organisation below its parent; the caller holds the tree. */
export async function insertOrganisation(db: Database, made: NewOrganisation): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    with next as (select nextval(pg_get_serial_sequence('organisations', 'id')) as id)
    insert into organisations (id, parent_id, kind, path, owner_user_name, name, telephone, mobile, email, address, remark, mch_id, app_id, created_by)
    select next.id, parent.id, ${made.kind}, parent.path || next.id::text, ${made.ownerUserName}, ${made.name}, ${made.telephone},
           ${made.mobile}, ${made.email}, ${made.address}, ${made.remark}, ${made.mchId}, ${made.appId}, ${made.createdBy}
      from next, organisations parent where parent.id = ${made.parentId}
    returning id`.execute(db)
  if (!rows[0]) throw new Error(`organisation ${made.parentId} is no parent`)
  return rows[0].id
}

/** Stores a profile; the user name is the account's, see `renameOwner`. */
export async function updateProfile(
  db: Database,
  organisationId: number,
  profile: Pick<
    OrganisationRecord,
    'name' | 'telephone' | 'mobile' | 'email' | 'address' | 'remark' | 'mchId' | 'appId'
  >,
): Promise<void> {
  await sql`
    update organisations
       set name = ${profile.name}, telephone = ${profile.telephone}, mobile = ${profile.mobile}, email = ${profile.email},
           address = ${profile.address}, remark = ${profile.remark}, mch_id = ${profile.mchId}, app_id = ${profile.appId}
     where id = ${organisationId}`.execute(db)
}

export async function updateBankAccount(
  db: Database,
  organisationId: number,
  account: { accountId: string; accountName: string; accountBank: string },
): Promise<void> {
  await sql`
    update organisations
       set account_id = ${account.accountId}, account_name = ${account.accountName}, account_bank = ${account.accountBank}
     where id = ${organisationId}`.execute(db)
}

/** @param status 1 enabled, 2 locked */
export async function updateStatus(db: Database, organisationId: number, status: 1 | 2): Promise<void> {
  await sql`update organisations set status = ${status} where id = ${organisationId}`.execute(db)
}
