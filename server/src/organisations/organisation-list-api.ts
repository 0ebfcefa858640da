import { getAgent, getMerchant, listAgentMerchants, listOrganisations } from '@chairside/contract'
import { handle, handleList, type Call, type CallContext } from '../kit/call.ts'
import {
  findChain,
  findOrganisationRows,
  streamOrganisationRows,
  type OrganisationFilter,
} from './organisation-list-sql.ts'
import { asListed, findProfile } from './organisations-sql.ts'

type ChildrenContext = CallContext<typeof listAgentMerchants>
type SearchContext = CallContext<typeof listOrganisations>

const both = ['agent', 'merchant'] as const
const kindsOfType = { '1': ['agent'], '2': ['merchant'], A: both } as const

/** From right below the caller down to `parentid`; who is not in the caller's view is not there. */
async function chainOf({ db, input, caller, refuse }: ChildrenContext) {
  const { organisationId } = caller()
  if (input.parentid === undefined || input.parentid === organisationId) return []
  const chain = await findChain(db, organisationId, input.parentid)
  return chain.length === 0 ? refuse('notFound') : chain
}

function childrenFilter({ input, caller }: ChildrenContext): OrganisationFilter {
  const searches = Boolean(input.userid || input.username)
  return {
    below: { organisationId: input.parentid ?? caller().organisationId, depth: searches ? 'any' : 'next' },
    kinds: both,
    userName: input.userid,
    name: input.username,
  }
}

function searchFilter({ input, caller }: SearchContext): OrganisationFilter {
  return {
    below: { organisationId: caller().organisationId, depth: 'any' },
    kinds: kindsOfType[input.type ?? 'A'],
    userName: input.userid,
    name: input.username,
  }
}

/** The agent and merchant list, its search, and the profiles its forms open (spec 1 §7). */
export const organisationListCalls: Call[] = [
  handleList(listAgentMerchants, {
    page: async (context) => {
      const chain = await chainOf(context)
      const { pagesize: take, pagenum } = context.input
      const page = await findOrganisationRows(context.db, context.scope, childrenFilter(context), {
        skip: (pagenum - 1) * take,
        take,
      })
      return { ...page, chain }
    },
    rows: async function* (context: ChildrenContext) {
      await chainOf(context)
      yield* streamOrganisationRows(context.db, context.scope, childrenFilter(context))
    },
  }),
  handleList(listOrganisations, {
    page: async (context) => {
      const { pagesize: take, pagenum } = context.input
      return findOrganisationRows(context.db, context.scope, searchFilter(context), {
        skip: (pagenum - 1) * take,
        take,
      })
    },
    rows: async function* (context: SearchContext) {
      yield* streamOrganisationRows(context.db, context.scope, searchFilter(context))
    },
  }),
  handle(getMerchant, async ({ db, scope, input, refuse }) => {
    const found = await findProfile(db, scope, 'merchant', input.id)
    return found ? asListed(found) : refuse('notFound')
  }),
  handle(getAgent, async ({ db, scope, input, refuse }) => {
    const found = await findProfile(db, scope, 'agent', input.id)
    return found ? asListed(found) : refuse('notFound')
  }),
]
