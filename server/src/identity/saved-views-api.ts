import {
  addSavedView,
  changeSavedView,
  deleteSavedView,
  listSavedViews,
  permissionMenus,
  savedViewLimits,
} from '@chairside/contract'
import { handle, handleReading, type Call } from '../kit/call.ts'
import {
  countViewsLocked,
  deleteView,
  findViews,
  insertView,
  lockOwnView,
  updateView,
} from './saved-views-sql.ts'

/** Screens there are. */
const screens = new Set(permissionMenus.flatMap(({ pages }) => pages.map(({ url }): string => url)))

/** A query without its question mark and without the number of a page: what is there now may have fewer. */
const filtersOf = (query: string) =>
  query
    .replace(/^\?/, '')
    .split('&')
    .filter((part) => part !== '' && !/^page(=|$)/.test(part))
    .join('&')

/** Views of lists, which somebody keeps under a name for himself or for colleagues too. */
export const savedViewCalls: Call[] = [
  handleReading(listSavedViews, async ({ db, input: { screen }, caller, refuseField }) => {
    if (!screens.has(screen)) refuseField('screen', 'validation.screenUnknown')
    const list = await findViews(db, caller(), screen)
    return { list, total: list.length }
  }),
  handle(addSavedView, async ({ db, input, caller, refuseField, audit }) => {
    const principal = caller()
    if (!screens.has(input.screen)) refuseField('screen', 'validation.screenUnknown')
    const view = { ...input, query: filtersOf(input.query) }
    audit({ target: view.name, after: view })
    if ((await countViewsLocked(db, principal.accountId)) >= savedViewLimits.views)
      refuseField('name', 'validation.viewsTooMany', { max: savedViewLimits.views })
    const id = await insertView(db, principal, view)
    if (id === undefined) return refuseField('name', 'validation.viewNameTaken')
    const { name, query, shared } = view
    return { id, name, query, shared, own: true, ownerName: principal.userName }
  }),
  handle(changeSavedView, async ({ db, input, caller, refuse, refuseField, audit }) => {
    const { accountId, userName } = caller()
    const before = await lockOwnView(db, accountId, input.viewId)
    if (!before) return refuse('notFound')
    const after = {
      screen: before.screen,
      name: input.name ?? before.name,
      query: input.query === undefined ? before.query : filtersOf(input.query),
      shared: input.shared ?? before.shared,
    }
    audit({ target: before.name, before, after })
    if (!(await updateView(db, input.viewId, after))) refuseField('name', 'validation.viewNameTaken')
    const { name, query, shared } = after
    return { id: input.viewId, name, query, shared, own: true, ownerName: userName }
  }),
  handle(deleteSavedView, async ({ db, input: { viewId }, caller, refuse, audit }) => {
    const before = await lockOwnView(db, caller().accountId, viewId)
    if (!before) return refuse('notFound')
    audit({ target: before.name, before })
    await deleteView(db, viewId)
    return null
  }),
]
