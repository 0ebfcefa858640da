import { sql, type Database } from '../kit/database.ts'

export interface BannerShown {
  /** Empty when there is none. */
  pictureKey: string
  successText: string
  successUrl: string
  frontLang: number
  sleepPrompt: string
}

interface BannerRow extends BannerShown {
  enabled: boolean
}

const none: BannerShown = { pictureKey: '', successText: '', successUrl: '', frontLang: 3, sleepPrompt: '' }

/**
 * A merchant's banner with its time-limited picture within its days, the platform's default one where the merchant has
 * none (spec 2 §3, "Banner"). A banner that is not enabled shows the default picture and keeps its words.
 */
export async function bannerShown(db: Database, merchantId: number, day: string): Promise<BannerShown> {
  const { rows } = await sql<BannerRow>`
    select enabled,
           case when not enabled then '' when time_limited and ${day}::date between time_start and time_end then time_banner_key else banner_key end
             as "pictureKey",
           success_text as "successText", success_url as "successUrl", front_lang as "frontLang", sleep_prompt as "sleepPrompt"
      from banners where merchant_id in (${merchantId}, 1) order by merchant_id = 1`.execute(db)
  const shown = rows[0]
  if (!shown) return none
  const { enabled: _enabled, ...words } = shown
  return { ...words, pictureKey: (rows.find(({ enabled }) => enabled) ?? shown).pictureKey }
}
