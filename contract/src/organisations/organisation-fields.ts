import { z } from 'zod'
import { choice, instant, recordId, textOrEmpty } from '../kit/fields.ts'
import { newUserName } from '../identity/new-user-name.ts'

/** Longest values of the profile fields (spec 1 §3); forms and calls take them from here. */
export const profileLimits = {
  userid: 50,
  name: 50,
  mchId: 50,
  appId: 50,
  telephone: 32,
  mobile: 32,
  email: 64,
  address: 128,
  remark: 128,
  accountid: 36,
  accountname: 36,
  accountbank: 36,
} as const

/** Id of the platform, the parent of everything at the highest level (spec 1 §9). */
export const platformId = 1

/** `status` of an agent or merchant (spec 1 §4). */
export const organisationStatuses = { enabled: '1', locked: '2' } as const

const organisationName = z
  .string({ error: 'merchantNameEmpty' })
  .trim()
  .min(1, { error: 'merchantNameEmpty' })
  .max(profileLimits.name)

/** What one's own profile changes; a field that is not sent stays as it is. */
export const profileFields = {
  name: organisationName,
  telephone: textOrEmpty(profileLimits.telephone).optional(),
  mobile: textOrEmpty(profileLimits.mobile).optional(),
  email: textOrEmpty(profileLimits.email).optional(),
  address: textOrEmpty(profileLimits.address).optional(),
  remark: textOrEmpty(profileLimits.remark).optional(),
}

/** Fields of the form of an agent or merchant (spec 1 §2). */
export const organisationFields = {
  userid: newUserName,
  ...profileFields,
  mchId: textOrEmpty(profileLimits.mchId).optional(),
  appId: textOrEmpty(profileLimits.appId).optional(),
}

/** An agent or merchant (spec 1 §3, "User"). Mobile and account number are masked for all but its own people. */
export const OrganisationProfile = z.object({
  id: z.int(),
  /** User name of the owner's account. */
  userId: z.string(),
  name: z.string(),
  /** See `organisationTypes`; the platform's own profile has '0'. */
  type: z.enum(['0', '1', '2']),
  /** See `organisationStatuses`. */
  status: z.enum(['1', '2']),
  createTime: instant,
  telephone: z.string(),
  mobile: z.string(),
  email: z.string(),
  address: z.string(),
  remark: z.string(),
  mchId: z.string(),
  appId: z.string(),
  accountid: z.string(),
  accountname: z.string(),
  accountbank: z.string(),
})
export type OrganisationProfile = z.output<typeof OrganisationProfile>

/** `option` of a lock (spec 1 §4): 1 locks, 0 unlocks. */
export const lockFields = { id: recordId, option: choice(['0', '1']) }
