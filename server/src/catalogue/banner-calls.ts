import type { Call } from '../kit/call.ts'
import { bannerListCall } from './banner-list-api.ts'
import { reviewBannerCalls } from './review-banner.ts'
import { saveBannerCalls } from './save-banner.ts'

/** What the banner screen calls (spec 2 §7). */
export const bannerCalls: Call[] = [bannerListCall, ...saveBannerCalls, ...reviewBannerCalls]
