import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { filter, flag, listOf, paging, recordId } from '../kit/fields.ts'
import type { SheetColumn } from '../kit/sheet.ts'

/** `frontLang`: the languages of the pay page (spec 2 §3). */
export const frontLanguages = { chinese: 1, english: 2, both: 3 } as const
export const frontLanguageValues = ['1', '2', '3'] as const

/** Longest values of a banner's fields. */
export const bannerLimits = { address: 300, successText: 100, sleepPrompt: 20 } as const

/** A merchant's banner (spec 2 §3); the one of merchant 1 is the default. A merchant has one, so its id is the merchant's. */
export const BannerRow = z.object({
  id: z.int(),
  merchantId: z.int(),
  merchantName: z.string(),
  merchantUserId: z.string(),
  bannerenable: z.boolean(),
  bannerkey: z.string(),
  url: z.string(),
  timeBannerkey: z.string(),
  timeUrl: z.string(),
  datelimit: z.boolean(),
  /** First and last day of the time-limited picture, `YYYY-MM-DD`; empty for none. */
  startdate: z.string(),
  enddate: z.string(),
  css: z.string(),
  successText: z.string(),
  successUrl: z.string(),
  /** See `frontLanguages`. */
  frontLang: z.int(),
  /** Whether the merchant changes its banner itself; its uploads are reviewed all the same. */
  allowManage: z.boolean(),
  sleepPrompt: z.string(),
  /** What waits for a review; empty for nothing. */
  newBannerkey: z.string(),
  newUrl: z.string(),
  newSleepPrompt: z.string(),
  /** Whether anything waits for a review. */
  pending: z.boolean(),
})
export type BannerRow = z.output<typeof BannerRow>

export const bannerColumns: readonly SheetColumn[] = [
  { field: 'merchantName', text: 'banners.field.merchantName', kind: 'text' },
  { field: 'merchantUserId', text: 'banners.field.merchantUserId', kind: 'id' },
  { field: 'bannerkey', text: 'banners.field.bannerkey', kind: 'text' },
  { field: 'bannerenable', text: 'banners.field.bannerenable', kind: 'status', valueText: 'banners.enabled' },
  { field: 'datelimit', text: 'banners.field.datelimit', kind: 'status', valueText: 'banners.limited' },
  { field: 'startdate', text: 'banners.field.startdate', kind: 'date' },
  { field: 'enddate', text: 'banners.field.enddate', kind: 'date' },
  { field: 'frontLang', text: 'banners.field.frontLang', kind: 'status', valueText: 'banners.frontLang' },
  { field: 'sleepPrompt', text: 'banners.field.sleepPrompt', kind: 'text' },
  { field: 'allowManage', text: 'banners.field.allowManage', kind: 'status', valueText: 'banners.open' },
  { field: 'pending', text: 'banners.field.pending', kind: 'status', valueText: 'banners.waiting' },
]

/** The default banner first, then what waits for a review, then by merchant; a merchant always has its own. */
export const listBanners = endpoint({
  verb: 'GET',
  path: '/api/goods/banners',
  summary: 'A page of banners',
  needs: 'banner.list',
  input: z.object({ ...paging, merchantid: filter(recordId), pending: filter(flag) }),
  data: listOf(BannerRow),
  refuses: [],
  sheet: { fileName: 'banners.xlsx', columns: bannerColumns },
})

export const bannerCalls = { listBanners }
