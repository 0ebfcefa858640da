import {
  modifySleepPrompt,
  removeSleepPrompt,
  reviewBanner,
  uploadBanner,
  type BannerRow,
} from '@chairside/contract'
import { handle, type Call, type CallContext } from '../kit/call.ts'
import { bannerToChange, keepBanner, meantMerchant, needsReview, takesPicture } from './banner-target.ts'
import type { Banner } from './banners-sql.ts'

/*
 * What a merchant proposes for its banner is shown when somebody above it has reviewed it; see
 * docs/decisions/0130.
 */

const nothingPending = { pendingBannerKey: '', pendingLinkUrl: '', pendingSleepPrompt: null } as const

/** A banner with what was proposed. A picture that is accepted is shown. */
const accepted = (banner: Banner): Banner => ({
  ...banner,
  ...(banner.pendingBannerKey === ''
    ? {}
    : { bannerKey: banner.pendingBannerKey, linkUrl: banner.pendingLinkUrl, enabled: true }),
  sleepPrompt: banner.pendingSleepPrompt ?? banner.sleepPrompt,
  ...nothingPending,
})

async function propose(context: CallContext<typeof uploadBanner>): Promise<BannerRow> {
  const { input, caller, refuse, refuseField } = context
  const before = (await bannerToChange(context))?.banner
  if (!before) return refuse('notFound')
  const key = input.bannerkey
  if (!key) return refuseField('bannerkey', 'validation.bannerKeyEmpty')
  if (!(await takesPicture(context, before.merchantId, { key, before: before.pendingBannerKey })))
    return refuseField('bannerkey', 'validation.pictureUnknown')
  const picture = { key, linkUrl: input.url ?? '' }
  const after = needsReview(caller())
    ? { ...before, pendingBannerKey: picture.key, pendingLinkUrl: picture.linkUrl }
    : {
        ...before,
        bannerKey: picture.key,
        linkUrl: picture.linkUrl,
        enabled: true,
        pendingBannerKey: '',
        pendingLinkUrl: '',
      }
  return keepBanner(context, before, after)
}

async function review(context: CallContext<typeof reviewBanner>): Promise<BannerRow> {
  const { input, refuse } = context
  const before = (await bannerToChange(context))?.banner
  if (!before) return refuse('notFound')
  if (before.pendingBannerKey === '' && before.pendingSleepPrompt === null) return refuse('nothingToReview')
  const { newbannerkey: seenKey, newurl: seenUrl, newsleepprompt: seenPrompt } = input
  const isAsSeen =
    (seenKey === undefined || seenKey === before.pendingBannerKey) &&
    (seenUrl === undefined || seenUrl === before.pendingLinkUrl) &&
    (seenPrompt === undefined || seenPrompt === (before.pendingSleepPrompt ?? ''))
  if (!isAsSeen) return refuse('changedMeanwhile')
  return keepBanner(
    context,
    before,
    input.option === '1' ? accepted(before) : { ...before, ...nothingPending },
  )
}

async function proposePrompt(context: CallContext<typeof modifySleepPrompt>): Promise<BannerRow> {
  const { input, caller, refuse, refuseField } = context
  if (meantMerchant(context) === undefined) return refuseField('merchantid', 'validation.merchantNeeded')
  const before = (await bannerToChange(context))?.banner
  if (!before) return refuse('notFound')
  const prompt = input.newsleepprompt
  return keepBanner(
    context,
    before,
    needsReview(caller())
      ? { ...before, pendingSleepPrompt: prompt }
      : { ...before, sleepPrompt: prompt, pendingSleepPrompt: null },
  )
}

async function removePrompt(context: CallContext<typeof removeSleepPrompt>): Promise<BannerRow> {
  const { refuse, refuseField } = context
  if (meantMerchant(context) === undefined) return refuseField('merchantid', 'validation.merchantNeeded')
  const before = (await bannerToChange(context))?.banner
  if (!before) return refuse('notFound')
  if (before.sleepPrompt === '' && before.pendingSleepPrompt === null) return refuse('notPossible')
  return keepBanner(context, before, { ...before, sleepPrompt: '', pendingSleepPrompt: null })
}

/** Proposals of merchants and their review (spec 2 §§4, 7). */
export const reviewBannerCalls: Call[] = [
  handle(uploadBanner, propose),
  handle(reviewBanner, review),
  handle(modifySleepPrompt, proposePrompt),
  handle(removeSleepPrompt, removePrompt),
]
