import { bindSubAccounts, listPlaceAssociations, type ParsedInputOf } from '@chairside/contract'
import { handle, handleList, type Call, type CallContext } from '../kit/call.ts'
import {
  boundTo,
  findAssociations,
  holdSubAccounts,
  replaceBindings,
  streamAssociations,
} from './place-bindings-sql.ts'
import { findPlace, lockPlace } from './places-sql.ts'

type ListContext = CallContext<typeof listPlaceAssociations>

const isSame = (one: ReadonlySet<number>, other: ReadonlySet<number>) =>
  one.symmetricDifference(other).size === 0

/** Ids of the chosen sub-accounts, undefined where none are given or two sets that differ. */
function chosenOf({ userIds, subs }: ParsedInputOf<typeof bindSubAccounts>): Set<number> | undefined {
  const chosen = userIds ?? subs
  if (chosen === undefined) return undefined
  const ids = new Set(chosen)
  return subs === undefined || isSame(ids, new Set(subs)) ? ids : undefined
}

/** The place whose sub-accounts are asked for; somebody else's is not there. */
const placeOf = async ({ db, scope, input, refuse }: ListContext) =>
  (await findPlace(db, scope, input.placeid)) ?? refuse('notFound')

/** Which sub-accounts see a place (decisions §2). What they see follows with their next call. */
export const placeBindingCalls: Call[] = [
  handleList(listPlaceAssociations, {
    page: async (context) => {
      const place = await placeOf(context)
      const { pagesize: take, pagenum } = context.input
      return findAssociations(context.db, place.merchantId, place.id, { skip: (pagenum - 1) * take, take })
    },
    rows: async function* (context: ListContext) {
      const place = await placeOf(context)
      yield* streamAssociations(context.db, place.merchantId, place.id)
    },
  }),
  handle(bindSubAccounts, async ({ db, scope, input, refuse, refuseField, audit }) => {
    const place = await lockPlace(db, scope, input.placeId)
    if (!place) return refuse('notFound')
    if (input.userIds === undefined && input.subs === undefined)
      return refuseField('userIds', 'validation.required')
    const chosen = chosenOf(input) ?? refuseField('userIds', 'validation.mustMatch', { other: 'subs' })
    const bound = await boundTo(db, place.id)
    const before = new Set(bound.map(({ id }) => id))
    if (input.oldSubs !== undefined && !isSame(before, new Set(input.oldSubs)))
      return refuse('changedMeanwhile')
    const held = await holdSubAccounts(db, place.merchantId, [...chosen])
    if (held.length < chosen.size) return refuse('notFound')
    await replaceBindings(db, place.id, [...chosen])
    audit({
      target: place.address,
      before: { subAccounts: bound.map(({ userName }) => userName) },
      after: { subAccounts: held.map(({ userName }) => userName) },
    })
    return { bound: chosen.difference(before).size, released: before.difference(chosen).size }
  }),
]
