import { isMerchantMode, platformId, type BannerRow } from '@chairside/contract'
import type { CallContext } from '../kit/call.ts'
import type { Principal } from '../kit/principal.ts'
import { usePicture } from './pictures-sql.ts'
import { bannerRow, lockBanner, updateBanner, type Banner } from './banners-sql.ts'

/** What the changing calls of banners share of their contexts. */
export type BannerContext = Pick<CallContext, 'db' | 'scope' | 'caller' | 'audit'> & {
  input: { id?: number | undefined; merchantid?: number | undefined }
}

/** Whose banner is meant: the one named, else one's own; agents have none of their own. */
export function meantMerchant({
  input,
  caller,
}: Pick<BannerContext, 'input' | 'caller'>): number | undefined {
  const { id, merchantid } = input
  if (id !== undefined || merchantid !== undefined)
    return id === undefined || merchantid === undefined || id === merchantid ? (id ?? merchantid) : undefined
  const { type, organisationId } = caller()
  return isMerchantMode(type) || organisationId === platformId ? organisationId : undefined
}

/**
 * The banner that is to be changed, locked until the transaction ends; undefined when the caller has no such merchant.
 * A merchant without a banner gets one that shows nothing.
 */
export async function bannerToChange(
  context: BannerContext,
): Promise<{ banner: Banner; isNew: boolean } | undefined> {
  const merchantId = meantMerchant(context)
  return merchantId === undefined ? undefined : lockBanner(context.db, context.scope, merchantId)
}

/**
 * Takes the picture of a key into use for a banner: one that it has already, or one that the caller's organisation or
 * the merchant sent in; answers whether there is such a picture.
 */
export async function takesPicture(
  { db, caller }: Pick<BannerContext, 'db' | 'caller'>,
  merchantId: number,
  { key, before }: { key: string; before: string },
): Promise<boolean> {
  if (key === '' || key === before) return true
  const organisationIds = [caller().organisationId, merchantId]
  return usePicture(db, { key, purpose: 'banner', organisationIds })
}

/** Keeps a changed banner and says in the audit trail what it was and what it is. */
export async function keepBanner(
  { db, audit }: Pick<BannerContext, 'db' | 'audit'>,
  before: Banner,
  after: Banner,
): Promise<BannerRow> {
  await updateBanner(db, after)
  const shown = bannerRow(after)
  audit({ target: after.merchantUserId || after.merchantName, before: bannerRow(before), after: shown })
  return shown
}

/** A merchant changes its banner itself only where that is open to it; those above always may. */
export const mayManage = (banner: Banner, { type }: Principal): boolean =>
  !isMerchantMode(type) || banner.allowManage

/** Whoever may review proposals needs no review for their own. */
export const needsReview = ({ type, permissions }: Principal): boolean =>
  isMerchantMode(type) || !permissions.has('banner.review')
