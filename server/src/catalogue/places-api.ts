import {
  addPlace,
  deletePlace,
  listPlaces,
  modifyPlace,
  setPlaceHours,
  type PlaceRow,
} from '@chairside/contract'
import { handle, handleList, type Call } from '../kit/call.ts'
import { keepUnchanged } from '../kit/keep-unchanged.ts'
import {
  findPlace,
  findPlaces,
  insertPlaces,
  lockPlace,
  removePlace,
  streamPlaces,
  updateHours,
  updatePlace,
} from './places-sql.ts'

const textsOf = ({ address, phone }: PlaceRow) => ({ address, phone })

/** Places of a merchant (spec 2 §7, "Places"). */
export const placeListCalls: Call[] = [
  handleList(listPlaces, {
    page: ({ db, scope, input }) =>
      findPlaces(db, scope, input.address, {
        skip: (input.pagenum - 1) * input.pagesize,
        take: input.pagesize,
      }),
    rows: ({ db, scope, input }) => streamPlaces(db, scope, input.address),
  }),
  handle(addPlace, async ({ db, scope, input, caller, refuse, audit }) => {
    const { organisationId: merchantId, accountId } = caller()
    // A place is made for oneself.
    if ((input.merchantid ?? merchantId) !== merchantId) return refuse('notFound')
    if ((input.ownerid ?? accountId) !== accountId) return refuse('notFound')
    const [id = 0] = await insertPlaces(db, merchantId, [input])
    const place = (await findPlace(db, scope, id)) ?? refuse('notFound')
    audit({ target: place.address, after: textsOf(place) })
    return place
  }),
  handle(modifyPlace, async ({ db, scope, input, refuse, audit }) => {
    const before = await lockPlace(db, scope, input.id)
    if (!before) return refuse('notFound')
    const { address, phone = before.phone } = keepUnchanged(input, textsOf(before))
    const place = { ...before, address, phone }
    await updatePlace(db, place)
    audit({ target: before.address, before: textsOf(before), after: textsOf(place) })
    return place
  }),
  handle(setPlaceHours, async ({ db, scope, input, refuse, audit }) => {
    const before = await lockPlace(db, scope, input.placeid)
    if (!before || (input.id !== 0 && input.id !== before.businessTime.id)) return refuse('notFound')
    const { openTime, closeTime } = before.businessTime
    const sent = keepUnchanged(input, { opentime: openTime, closetime: closeTime })
    await updateHours(db, before.id, { opens: sent.opentime, closes: sent.closetime })
    const place = (await lockPlace(db, scope, before.id)) ?? refuse('notFound')
    audit({ target: place.address, before: { hours: before.hours }, after: { hours: place.hours } })
    return place
  }),
  handle(deletePlace, async ({ db, scope, input, refuse, audit }) => {
    const place = await lockPlace(db, scope, input.id)
    if (!place) return refuse('notFound')
    const released = await removePlace(db, place.id)
    audit({ target: place.address, before: { ...textsOf(place), devices: place.devices } })
    return released
  }),
]
