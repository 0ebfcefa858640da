import { changeBanner, isMerchantMode, saveBanner, setTimeBanner, type BannerRow } from '@chairside/contract'
import { handle, type Call, type CallContext } from '../kit/call.ts'
import { keepUnchanged } from '../kit/keep-unchanged.ts'
import {
  bannerToChange,
  keepBanner,
  mayManage,
  meantMerchant,
  takesPicture,
  type BannerContext,
} from './banner-target.ts'
import type { Banner } from './banners-sql.ts'

type SaveContext = CallContext<typeof saveBanner>
type ChangeContext = CallContext<typeof changeBanner>
type TimeContext = CallContext<typeof setTimeBanner>

/** What is wrong with fields of a banner, as message keys. */
type BannerFaults = Partial<Record<'bannerkey' | TimeField, string>>
type TimeField = 'timebannerkey' | 'startdate' | 'enddate'

/** Time-limited, a banner needs a picture for it and both of its days in order (spec 2 §5). */
function timeFaultsOf(banner: Banner): Pick<BannerFaults, TimeField> {
  if (!banner.timeLimited) return {}
  const { timeBannerKey, timeStart, timeEnd } = banner
  const isReversed = timeStart !== null && timeEnd !== null && timeStart > timeEnd
  return {
    ...(timeBannerKey === '' ? { timebannerkey: 'validation.timeBannerKeyEmpty' } : {}),
    ...(timeStart === null ? { startdate: 'validation.limitDatesEmpty' } : {}),
    ...(timeEnd === null ? { enddate: 'validation.limitDatesEmpty' } : {}),
    ...(isReversed ? { startdate: 'validation.limitDatesInvalid' } : {}),
  }
}

/** The time-limited picture, taken into use, and its days. */
async function findTimeFaults(
  context: BannerContext,
  before: Banner,
  after: Banner,
): Promise<Pick<BannerFaults, TimeField>> {
  const faults = timeFaultsOf(after)
  const key = { key: after.timeBannerKey, before: before.timeBannerKey }
  if (!(await takesPicture(context, before.merchantId, key)))
    faults.timebannerkey = 'validation.pictureUnknown'
  return faults
}

/** The picture, taken into use; a banner that is shown needs one. */
async function findPictureFaults(
  context: BannerContext,
  before: Banner,
  { enabled, bannerKey: key }: Banner,
): Promise<Pick<BannerFaults, 'bannerkey'>> {
  if (enabled && key === '') return { bannerkey: 'validation.bannerKeyEmpty' }
  const isThere = await takesPicture(context, before.merchantId, { key, before: before.bannerKey })
  return isThere ? {} : { bannerkey: 'validation.pictureUnknown' }
}

const hasFaults = (faults: BannerFaults) => Object.keys(faults).length > 0

/** A day as it was sent: empty removes it, absent leaves it as it is. */
const dayOf = (sent: string | undefined, before: string | null) =>
  sent === undefined ? before : sent || null

/** A banner's time-limited picture as its form has it. */
const timeFormOf = (banner: Banner) => ({
  datelimit: banner.timeLimited,
  timebannerkey: banner.timeBannerKey,
  timeurl: banner.timeLinkUrl,
  startdate: banner.timeStart ?? '',
  enddate: banner.timeEnd ?? '',
})

/** A banner as its form has it. */
const formOf = (banner: Banner) => ({
  ...timeFormOf(banner),
  bannerenable: banner.enabled,
  bannerkey: banner.bannerKey,
  url: banner.linkUrl,
  css: banner.css,
  successText: banner.successText,
  successUrl: banner.successUrl,
  frontLang: String(banner.frontLang) as SaveContext['input']['frontLang'],
  allowManage: banner.allowManage,
  sleepPrompt: banner.sleepPrompt,
})

/** A banner with what was sent of its time-limited picture. */
const withTimes = (
  before: Banner,
  input: Pick<TimeContext['input'], 'timebannerkey' | 'timeurl' | 'startdate' | 'enddate'> & {
    datelimit?: boolean | undefined
  },
): Banner => ({
  ...before,
  timeLimited: input.datelimit ?? before.timeLimited,
  timeBannerKey: input.timebannerkey ?? before.timeBannerKey,
  timeLinkUrl: input.timeurl ?? before.timeLinkUrl,
  timeStart: dayOf(input.startdate, before.timeStart),
  timeEnd: dayOf(input.enddate, before.timeEnd),
})

function withChanges(before: Banner, input: SaveContext['input']): Banner {
  return {
    ...withTimes(before, input),
    enabled: input.bannerenable ?? before.enabled,
    bannerKey: input.bannerkey ?? before.bannerKey,
    linkUrl: input.url ?? before.linkUrl,
    css: input.css ?? before.css,
    successText: input.successText ?? before.successText,
    successUrl: input.successUrl ?? before.successUrl,
    frontLang: input.frontLang === undefined ? before.frontLang : Number(input.frontLang),
    allowManage: input.allowManage ?? before.allowManage,
    sleepPrompt: input.sleepPrompt ?? before.sleepPrompt,
  }
}

async function save(context: SaveContext): Promise<BannerRow> {
  const { input, caller, refuse, refuseField } = context
  if (meantMerchant(context) === undefined && input.id === undefined && input.merchantid === undefined)
    return refuseField('merchantid', 'validation.merchantNeeded')
  const found = await bannerToChange(context)
  if (!found) return refuse('notFound')
  const { banner: before, isNew } = found
  if (input.id === undefined && !isNew) return refuse('bannerExists')
  const principal = caller()
  if (!mayManage(before, principal)) return refuse('bannerNotOpen')
  const after = withChanges(before, keepUnchanged(input, formOf(before)))
  if (isMerchantMode(principal.type)) {
    // A merchant does not decide whether its banner is open, and its prompt is reviewed.
    if (after.sleepPrompt !== before.sleepPrompt)
      return refuseField('sleepPrompt', 'validation.reviewedByOthers')
    after.allowManage = before.allowManage
  }
  const faults: BannerFaults = {
    ...(await findPictureFaults(context, before, after)),
    ...(await findTimeFaults(context, before, after)),
  }
  if (hasFaults(faults)) return context.refuseFields(faults)
  return keepBanner(context, before, after)
}

async function change(context: ChangeContext): Promise<BannerRow> {
  const { input, caller, refuse, refuseField } = context
  const before = (await bannerToChange(context))?.banner
  if (!before) return refuse('notFound')
  if (!mayManage(before, caller())) return refuse('bannerNotOpen')
  const { bannerKey, linkUrl } = before
  const { bannerkey: key, url = linkUrl } = keepUnchanged(input, { bannerkey: bannerKey, url: linkUrl })
  if (!key) return refuseField('bannerkey', 'validation.bannerKeyEmpty')
  if (!(await takesPicture(context, before.merchantId, { key, before: before.bannerKey })))
    return refuseField('bannerkey', 'validation.pictureUnknown')
  return keepBanner(context, before, { ...before, bannerKey: key, linkUrl: url })
}

async function setTimes(context: TimeContext): Promise<BannerRow> {
  const { caller, input, refuse } = context
  const before = (await bannerToChange(context))?.banner
  if (!before) return refuse('notFound')
  if (!mayManage(before, caller())) return refuse('bannerNotOpen')
  const after = withTimes(before, keepUnchanged(input, timeFormOf(before)))
  const faults = await findTimeFaults(context, before, after)
  if (hasFaults(faults)) return context.refuseFields(faults)
  return keepBanner(context, before, after)
}

/** What changes a banner at once (spec 2 §§2, 5, 7). */
export const saveBannerCalls: Call[] = [
  handle(saveBanner, save),
  handle(changeBanner, change),
  handle(setTimeBanner, setTimes),
]
