import type { Call } from '../kit/call.ts'
import { bannerListCall } from './banner-list-api.ts'

/** What the banner screen calls (spec 2 §7). */
export const bannerCalls: Call[] = [bannerListCall]
