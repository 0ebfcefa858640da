import { platformId } from '@chairside/contract'
import { sql, type Database } from '../kit/database.ts'

/** What a merchant's pay page shows. */
export interface BannerShown {
  /** Empty when there is none. */
  pictureKey: string
  /** Where the picture leads to; empty for nowhere. */
  linkUrl: string
  /** Declarations for the style of the picture; read by `readBannerCss`. */
  css: string
  successText: string
  successUrl: string
  frontLang: number
  sleepPrompt: string
}

interface BannerRow extends BannerShown {
  /** Whether it may show a picture. */
  enabled: boolean
}

const none: BannerShown = {
  pictureKey: '',
  linkUrl: '',
  css: '',
  successText: '',
  successUrl: '',
  frontLang: 3,
  sleepPrompt: '',
}

/**
 * What the pay page of a merchant shows on a calendar day of the platform (spec 2 §3, "Banner"): a banner's time-limited
 * picture from its first to its last day, else its own picture; the platform's default banner where the merchant's shows
 * none. Words that the merchant does not have are the default banner's; the address after use goes with its text.
 */
export async function bannerShown(db: Database, merchantId: number, day: string): Promise<BannerShown> {
  const { rows } = await sql<BannerRow>`
    select enabled, front_lang as "frontLang", css, success_text as "successText", success_url as "successUrl",
           sleep_prompt as "sleepPrompt",
           case when is_limited then time_banner_key else banner_key end as "pictureKey",
           case when is_limited then time_link_url else link_url end as "linkUrl"
      from banners,
           lateral (select time_limited and time_banner_key <> '' and ${day}::date between time_start and time_end as is_limited) l
     where merchant_id in (${merchantId}, ${sql.lit(platformId)})
     order by merchant_id = ${sql.lit(platformId)}`.execute(db)
  const [own] = rows
  if (!own) return none
  const first = (has: (banner: BannerRow) => boolean) => rows.find(has) ?? none
  const { pictureKey, linkUrl, css } = first((banner) => banner.enabled && banner.pictureKey !== '')
  const { successText, successUrl } = first((banner) => banner.successText !== '' || banner.successUrl !== '')
  const { sleepPrompt } = first((banner) => banner.sleepPrompt !== '')
  return { pictureKey, linkUrl, css, successText, successUrl, sleepPrompt, frontLang: own.frontLang }
}
