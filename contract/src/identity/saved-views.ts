import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { filter, flag, listOf, recordId, text, textOrEmpty } from '../kit/fields.ts'

/** Most views that an account keeps, and most letters of a name and of a query; a Chinese character is nine of a query. */
export const savedViewLimits = { views: 50, name: 40, query: 2000 } as const

/** Filters, sort and page size of a list under a name. */
export const SavedView = z.object({
  id: z.int(),
  name: z.string(),
  /** The query of the screen's address, without the number of a page. */
  query: z.string(),
  /** Whether the colleagues of its owner see it too. */
  shared: z.boolean(),
  /** Whether it is the caller's, who alone changes or deletes it. */
  own: z.boolean(),
  ownerName: z.string(),
})
export type SavedView = z.output<typeof SavedView>

const name = text(savedViewLimits.name)
const query = textOrEmpty(savedViewLimits.query)

export const listSavedViews = endpoint({
  verb: 'GET',
  path: '/api/user/views',
  summary: "One's own views of a screen, then those that colleagues share, by name",
  needs: 'signedIn',
  /** `screen` is the address of a page in the permission catalogue. */
  input: z.object({ screen: text(100) }),
  data: listOf(SavedView),
  refuses: [],
})

export const addSavedView = endpoint({
  verb: 'POST',
  path: '/api/user/views',
  summary: 'Keeps the filters of a screen under a name, for oneself or for colleagues too',
  needs: 'signedIn',
  audit: 'view.add',
  input: z.object({ screen: text(100), name, query: query.default(''), shared: flag.default(false) }),
  data: SavedView,
  refuses: [],
})

export const changeSavedView = endpoint({
  verb: 'PUT',
  path: '/api/user/views/:viewId',
  summary: "Changes a view of one's own; what is not said stays",
  needs: 'signedIn',
  audit: 'view.edit',
  input: z.object({
    viewId: recordId,
    name: name.optional(),
    query: query.optional(),
    shared: filter(flag),
  }),
  data: SavedView,
  refuses: ['notFound'],
})

export const deleteSavedView = endpoint({
  verb: 'DELETE',
  path: '/api/user/views/:viewId',
  summary: "Deletes a view of one's own, for colleagues too",
  needs: 'signedIn',
  audit: 'view.delete',
  input: z.object({ viewId: recordId }),
  data: z.null(),
  refuses: ['notFound'],
})

export const savedViewCalls = { listSavedViews, addSavedView, changeSavedView, deleteSavedView }
