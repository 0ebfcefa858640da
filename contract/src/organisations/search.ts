import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { choice, filter, recordId, textOrEmpty } from '../kit/fields.ts'

/** Fewest characters that start a search for a merchant or agent (spec 1 §9). */
export const searchMinLength = 2

/** Organisation kinds on the wire (spec 1 §3). */
export const organisationTypes = { agent: '1', merchant: '2' } as const

/** Who is above an agent or merchant, as far as the caller sees. */
export const OrganisationAncestor = z.object({ id: z.int(), name: z.string(), type: z.string() })

/** Merchant search result (spec 1 §3). */
export const OrganisationFound = z.object({
  id: z.int(),
  name: z.string(),
  userId: z.string(),
  type: z.string(),
  /** Ancestors below the platform, outermost first. */
  chain: z.array(OrganisationAncestor),
})
export type OrganisationFound = z.output<typeof OrganisationFound>

/**
 * Spec 1 §7, "Search": merchants by default, `type=1` agents, `type=A` both. A name is also found by the initials of its pinyin. At most 10 are answered. `merchantid`, which is
 * ours, names one by its id, so that a picker can show what an address holds.
 */
export const searchOrganisations = endpoint({
  verb: 'GET',
  path: '/api/merchants/userid',
  summary: 'Finds merchants or agents by user name or name',
  needs: 'signedIn',
  input: z.object({
    userid: filter(textOrEmpty(50)),
    username: filter(textOrEmpty(50)),
    merchantid: filter(recordId),
    type: filter(choice(['1', '2', 'A'])),
  }),
  data: z.array(OrganisationFound),
  refuses: [],
})

export const organisationSearchCalls = { searchOrganisations }
