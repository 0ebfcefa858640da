import { sql, type Database } from '../kit/database.ts'

export interface BannerShown {
  pictureKey: string
  successText: string
  successUrl: string
  frontLang: number
  sleepPrompt: string
}

const none: BannerShown = { pictureKey: '', successText: '', successUrl: '', frontLang: 3, sleepPrompt: '' }

/** A merchant's banner, or the platform's default one; a time-limited picture within its days (spec 2 §3, "Banner"). */
export async function bannerShown(db: Database, merchantId: number, day: string): Promise<BannerShown> {
  const { rows } = await sql<BannerShown>`
    select case when not enabled then '' when time_limited and ${day}::date between time_start and time_end then time_banner_key else banner_key end
             as "pictureKey",
           success_text as "successText", success_url as "successUrl", front_lang as "frontLang", sleep_prompt as "sleepPrompt"
      from banners where merchant_id in (${merchantId}, 1) order by merchant_id = 1 limit 1`.execute(db)
  return rows[0] ?? none
}
