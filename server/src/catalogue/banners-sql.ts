import { platformId, type BannerRow } from '@chairside/contract'
import { sql, streamRows, type Database, type RawBuilder } from '../kit/database.ts'
import { withinScope, type Scope } from '../kit/scope.ts'

/** A banner with whose it is. */
export interface Banner {
  merchantId: number
  merchantName: string
  merchantUserId: string
  enabled: boolean
  bannerKey: string
  linkUrl: string
  timeLimited: boolean
  timeBannerKey: string
  timeLinkUrl: string
  timeStart: string | null
  timeEnd: string | null
  css: string
  successText: string
  successUrl: string
  frontLang: number
  allowManage: boolean
  sleepPrompt: string
  pendingBannerKey: string
  pendingLinkUrl: string
  pendingSleepPrompt: string | null
}

export interface BannerFilter {
  merchantId: number | undefined
  pending: boolean | undefined
}

/** A merchant without a banner has one that shows nothing. */
const columns = sql`
  o.id as "merchantId", o.name as "merchantName", o.owner_user_name as "merchantUserId",
  coalesce(b.enabled, false) as enabled, coalesce(b.banner_key, '') as "bannerKey", coalesce(b.link_url, '') as "linkUrl",
  coalesce(b.time_limited, false) as "timeLimited", coalesce(b.time_banner_key, '') as "timeBannerKey",
  coalesce(b.time_link_url, '') as "timeLinkUrl", b.time_start as "timeStart", b.time_end as "timeEnd",
  coalesce(b.css, '') as css, coalesce(b.success_text, '') as "successText", coalesce(b.success_url, '') as "successUrl",
  coalesce(b.front_lang, 3) as "frontLang", coalesce(b.allow_manage, false) as "allowManage",
  coalesce(b.sleep_prompt, '') as "sleepPrompt", coalesce(b.pending_banner_key, '') as "pendingBannerKey",
  coalesce(b.pending_link_url, '') as "pendingLinkUrl", b.pending_sleep_prompt as "pendingSleepPrompt"`

const isPending = sql`(b.pending_banner_key <> '' or b.pending_sleep_prompt is not null)`

/** A banner is its merchant's as a whole: whoever works for the merchant sees it, whatever their places. */
const bannerScope = (scope: Scope): Scope =>
  scope.kind === 'places' ? { kind: 'merchant', merchantId: scope.merchantId } : scope

const isMerchants = (scope: Scope) => bannerScope(scope).kind === 'merchant'

function source(scope: Scope, { merchantId, pending }: BannerFilter): RawBuilder<unknown> {
  const conditions = [
    sql`o.kind in ('merchant', 'platform')`,
    withinScope(bannerScope(scope), { merchantId: sql`o.id` }),
  ]
  if (merchantId !== undefined) conditions.push(sql`o.id = ${merchantId}`)
  if (pending !== undefined) conditions.push(pending ? isPending : sql`${isPending} is not true`)
  // Merchants see theirs also before there is one; to others a list is of those that there are.
  const join = isMerchants(scope) ? sql`left join` : sql`join`
  return sql`
    from organisations o ${join} banners b on b.merchant_id = o.id
   where ${sql.join(conditions, sql` and `)}`
}

const order = sql`order by o.id = ${sql.lit(platformId)} desc, coalesce(${isPending}, false) desc, o.id desc`

/** A page of banners and how many match. */
export async function findBanners(
  db: Database,
  scope: Scope,
  filter: BannerFilter,
  page: { skip: number; take: number },
): Promise<{ list: Banner[]; total: number }> {
  const { rows } = await sql<Banner>`
    select ${columns} ${source(scope, filter)} ${order} offset ${page.skip} limit ${page.take}`.execute(db)
  const counted = await sql<{ total: number }>`select count(*) as total ${source(scope, filter)}`.execute(db)
  return { list: rows, total: counted.rows[0]?.total ?? 0 }
}

/** All that match in the same order, some at a time. */
export const streamBanners = (db: Database, scope: Scope, filter: BannerFilter): AsyncGenerator<Banner[]> =>
  streamRows(db, sql<Banner>`select ${columns} ${source(scope, filter)} ${order}`)

/** A banner as the wire has it. */
export const bannerRow = (banner: Banner): BannerRow => ({
  id: banner.merchantId,
  merchantId: banner.merchantId,
  merchantName: banner.merchantName,
  merchantUserId: banner.merchantUserId,
  bannerenable: banner.enabled,
  bannerkey: banner.bannerKey,
  url: banner.linkUrl,
  timeBannerkey: banner.timeBannerKey,
  timeUrl: banner.timeLinkUrl,
  datelimit: banner.timeLimited,
  startdate: banner.timeStart ?? '',
  enddate: banner.timeEnd ?? '',
  css: banner.css,
  successText: banner.successText,
  successUrl: banner.successUrl,
  frontLang: banner.frontLang,
  allowManage: banner.allowManage,
  sleepPrompt: banner.sleepPrompt,
  newBannerkey: banner.pendingBannerKey,
  newUrl: banner.pendingLinkUrl,
  newSleepPrompt: banner.pendingSleepPrompt ?? '',
  pending: banner.pendingBannerKey !== '' || banner.pendingSleepPrompt !== null,
})

/**
 * A merchant's banner, locked, if the merchant is within the scope; one that there is not yet is made, showing nothing.
 * New ones have the languages of the default banner.
 */
export async function lockBanner(
  db: Database,
  scope: Scope,
  merchantId: number,
): Promise<{ banner: Banner; isNew: boolean } | undefined> {
  const { rows: made } = await sql`
    insert into banners (merchant_id, front_lang)
    select o.id, coalesce((select front_lang from banners where merchant_id = ${sql.lit(platformId)}), 3)
      from organisations o
     where o.id = ${merchantId} and o.kind in ('merchant', 'platform')
       and ${withinScope(bannerScope(scope), { merchantId: sql`o.id` })}
    on conflict do nothing returning 1`.execute(db)
  const { rows: locked } = await sql`
    select 1 from banners where merchant_id = ${merchantId} for update`.execute(db)
  if (locked.length === 0) return undefined
  const { list } = await findBanners(db, scope, { merchantId, pending: undefined }, { skip: 0, take: 1 })
  const [banner] = list
  return banner && { banner, isNew: made.length > 0 }
}

export async function updateBanner(db: Database, banner: Banner): Promise<void> {
  await sql`
    update banners
       set enabled = ${banner.enabled}, banner_key = ${banner.bannerKey}, link_url = ${banner.linkUrl},
           time_limited = ${banner.timeLimited}, time_banner_key = ${banner.timeBannerKey},
           time_link_url = ${banner.timeLinkUrl}, time_start = ${banner.timeStart}, time_end = ${banner.timeEnd},
           css = ${banner.css}, success_text = ${banner.successText}, success_url = ${banner.successUrl},
           front_lang = ${banner.frontLang}, allow_manage = ${banner.allowManage}, sleep_prompt = ${banner.sleepPrompt},
           pending_banner_key = ${banner.pendingBannerKey}, pending_link_url = ${banner.pendingLinkUrl},
           pending_sleep_prompt = ${banner.pendingSleepPrompt}, updated_at = now()
     where merchant_id = ${banner.merchantId}`.execute(db)
}
