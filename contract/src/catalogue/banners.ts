import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import {
  choice,
  day,
  filter,
  flag,
  listOf,
  paging,
  recordId,
  textOrEmpty,
  leavingUnchanged,
} from '../kit/fields.ts'
import type { SheetColumn } from '../kit/sheet.ts'
import { bannerCssLimit, readBannerCss } from './banner-css.ts'

/** `frontLang`, the languages of the pay page: 1 Chinese, 2 English, 3 both (spec 2 §3). */
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
  /** See `frontLanguageValues`. */
  frontLang: z.int(),
  /** Whether the merchant changes its banner itself; its uploads are reviewed anyway. */
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

const bannerColumns: readonly SheetColumn[] = [
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

/** Whether a text is the address of a page on the web: http or https, with a host and without a name to sign in by. */
export function isWebAddress(address: string): boolean {
  const url = URL.parse(address)
  return (
    url !== null &&
    /^https?:\/\//i.test(address) &&
    !/\s/.test(address) &&
    url.username === '' &&
    url.password === ''
  )
}

/** An address that a customer is led to, or none. */
const webAddress = textOrEmpty(bannerLimits.address).refine(
  (address) => address === '' || isWebAddress(address),
  { error: 'webAddress' },
)
/** A day, or none: sent empty, what was there is taken away. */
const dayOrNone = textOrEmpty(10).refine((date) => date === '' || day.safeParse(date).success, {
  error: 'notADate',
})
const pictureKey = textOrEmpty(120)
const sleepPrompt = textOrEmpty(bannerLimits.sleepPrompt)
const neededSleepPrompt = z
  .string({ error: 'sleepPromptEmpty' })
  .trim()
  .min(1, { error: 'sleepPromptEmpty' })
  .max(bannerLimits.sleepPrompt)

/** A banner is named by its id or its merchant's, which are the same. */
const ofMerchant = { id: filter(recordId), merchantid: filter(recordId) }
const timeFields = {
  timebannerkey: pictureKey.optional(),
  startdate: dayOrNone.optional(),
  enddate: dayOrNone.optional(),
  timeurl: webAddress.optional(),
}
const changes = { data: BannerRow } as const

/**
 * Adds a banner to a merchant that has none, or saves the one that `id` names. What is not sent stays as it is; shown, it
 * needs a picture, and time-limited a second one with its days (spec 2 §5).
 */
export const saveBanner = endpoint({
  verb: 'POST',
  path: '/api/goods/banner',
  summary: 'Adds or saves a banner',
  needs: 'banner.edit',
  audit: 'banner.edit',
  input: z.object({
    ...ofMerchant,
    bannerenable: filter(flag),
    bannerkey: pictureKey.optional(),
    url: webAddress.optional(),
    ...timeFields,
    datelimit: filter(flag),
    css: textOrEmpty(bannerCssLimit)
      .refine((css) => readBannerCss(css) !== undefined, { error: 'bannerCss' })
      .optional(),
    successText: textOrEmpty(bannerLimits.successText).optional(),
    successUrl: webAddress.optional(),
    frontLang: filter(choice(frontLanguageValues)),
    allowManage: filter(flag),
    sleepPrompt: sleepPrompt.optional(),
    ...leavingUnchanged,
  }),
  ...changes,
  refuses: ['notFound', 'bannerExists', 'bannerNotOpen'],
})

/** Gives a banner another picture, shown at once. */
export const changeBanner = endpoint({
  verb: 'PUT',
  path: '/api/goods/banner',
  summary: 'Changes the picture of a banner',
  needs: 'banner.change',
  audit: 'banner.change',
  input: z.object({
    ...ofMerchant,
    bannerkey: pictureKey.optional(),
    url: webAddress.optional(),
    ...leavingUnchanged,
  }),
  ...changes,
  refuses: ['notFound', 'bannerNotOpen'],
})

/** Sets the picture that is shown from one day to another, both included, in the platform's time zone. */
export const setTimeBanner = endpoint({
  verb: 'PUT',
  also: ['POST'],
  path: '/api/goods/timebanner',
  summary: 'Sets the time-limited picture of a banner',
  needs: 'banner.time',
  audit: 'banner.time',
  input: z.object({ ...ofMerchant, ...timeFields, datelimit: flag, ...leavingUnchanged }),
  ...changes,
  refuses: ['notFound', 'bannerNotOpen'],
})

/** Proposes a picture. It is shown when somebody above has reviewed it; who may review it needs no review. */
export const uploadBanner = endpoint({
  verb: 'POST',
  path: '/api/goods/banner/upload',
  summary: 'Proposes a new picture for a banner',
  needs: 'banner.upload',
  audit: 'banner.upload',
  input: z.object({ ...ofMerchant, bannerkey: pictureKey.optional(), url: webAddress.optional() }),
  ...changes,
  refuses: ['notFound'],
})

/**
 * Accepts (`option` 1) or rejects (0) what a merchant proposed, picture and sleep prompt together. With what the reviewer
 * saw (`newbannerkey`, `newurl`, `newsleepprompt`) nothing is decided that was proposed after that.
 */
export const reviewBanner = endpoint({
  verb: 'PUT',
  also: ['POST'],
  path: '/api/goods/banner/review',
  summary: 'Accepts or rejects what a merchant proposed for its banner',
  needs: 'banner.review',
  types: [0, 1, 3],
  audit: 'banner.review',
  input: z.object({
    merchantid: recordId,
    option: choice(['1', '0']),
    newbannerkey: pictureKey.optional(),
    newurl: textOrEmpty(bannerLimits.address).optional(),
    newsleepprompt: sleepPrompt.optional(),
  }),
  ...changes,
  refuses: ['notFound', 'nothingToReview', 'changedMeanwhile'],
})

/** Proposes a sleep prompt; as with pictures, who may review it needs no review. */
export const modifySleepPrompt = endpoint({
  verb: 'PUT',
  also: ['POST'],
  path: '/api/goods/banner/prompt',
  summary: 'Proposes a sleep prompt',
  needs: 'banner.modifyprompt',
  audit: 'banner.modifyprompt',
  input: z.object({ merchantid: filter(recordId), newsleepprompt: neededSleepPrompt }),
  ...changes,
  refuses: ['notFound'],
})

/** Takes the sleep prompt away, and one that waits for a review too; that needs no review. */
export const removeSleepPrompt = endpoint({
  verb: 'DELETE',
  path: '/api/goods/banner/prompt',
  summary: 'Removes the sleep prompt',
  needs: 'banner.removeprompt',
  audit: 'banner.removeprompt',
  input: z.object({ merchantid: filter(recordId) }),
  ...changes,
  refuses: ['notFound', 'notPossible'],
})

export const bannerCalls = {
  listBanners,
  saveBanner,
  changeBanner,
  setTimeBanner,
  uploadBanner,
  reviewBanner,
  modifySleepPrompt,
  removeSleepPrompt,
}
