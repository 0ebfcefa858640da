import {
  addPlace,
  deletePlace,
  listPlaces,
  modifyPlace,
  setPlaceHours,
  wholeDay,
  type PlaceRow,
} from '@chairside/contract'
import type { Language } from '@chairside/contract/locales/languages'
import { translate } from '@chairside/contract/locales/texts'
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

/** A place as screens and sheets show it, in a language. */
const inWords = (place: PlaceRow, language: Language): PlaceRow =>
  place.hours === wholeDay ? { ...place, hours: translate(language, 'catalogue.allDay') } : place

/** Places of a merchant (spec 2 §7, "Places"). */
export const placeListCalls: Call[] = [
  handleList(listPlaces, {
    page: async ({ db, scope, input, language }) => {
      const { pagesize: take, pagenum } = input
      const { list, total } = await findPlaces(db, scope, input.address, { skip: (pagenum - 1) * take, take })
      return { list: list.map((place) => inWords(place, language)), total }
    },
    rows: async function* ({ db, scope, input, language }) {
      for await (const places of streamPlaces(db, scope, input.address))
        yield places.map((place) => inWords(place, language))
    },
  }),
  handle(addPlace, async ({ db, scope, input, language, caller, refuse, audit }) => {
    const { organisationId: merchantId, accountId } = caller()
    // A place is made for oneself.
    if ((input.merchantid ?? merchantId) !== merchantId) return refuse('notFound')
    if ((input.ownerid ?? accountId) !== accountId) return refuse('notFound')
    const [id = 0] = await insertPlaces(db, merchantId, [input])
    const place = (await findPlace(db, scope, id)) ?? refuse('notFound')
    audit({ target: place.address, after: textsOf(place) })
    return inWords(place, language)
  }),
  handle(modifyPlace, async ({ db, scope, input, language, refuse, audit }) => {
    const before = await lockPlace(db, scope, input.id)
    if (!before) return refuse('notFound')
    const { address, phone = before.phone } = keepUnchanged(input, textsOf(before))
    const place = { ...before, address, phone }
    await updatePlace(db, place)
    audit({ target: before.address, before: textsOf(before), after: textsOf(place) })
    return inWords(place, language)
  }),
  handle(setPlaceHours, async ({ db, scope, input, language, refuse, audit }) => {
    const before = await lockPlace(db, scope, input.placeid)
    if (!before || (input.id !== 0 && input.id !== before.businessTime.id)) return refuse('notFound')
    const { openTime, closeTime } = before.businessTime
    const sent = keepUnchanged(input, { opentime: openTime, closetime: closeTime })
    await updateHours(db, before.id, { opens: sent.opentime, closes: sent.closetime })
    const place = (await lockPlace(db, scope, before.id)) ?? refuse('notFound')
    audit({ target: place.address, before: { hours: before.hours }, after: { hours: place.hours } })
    return inWords(place, language)
  }),
  handle(deletePlace, async ({ db, scope, input, refuse, audit }) => {
    const place = await lockPlace(db, scope, input.id)
    if (!place) return refuse('notFound')
    const released = await removePlace(db, place.id)
    audit({ target: place.address, before: { ...textsOf(place), devices: place.devices } })
    return released
  }),
]
