import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { listUpTo, text } from '../kit/fields.ts'

/** Most columns that a choice names, and most letters of a column's name. */
const listColumnLimits = { columns: 60, name: 40 } as const

/** Names of columns: an array, or text with commas between them. */
const columnNames = listUpTo(
  listColumnLimits.columns,
  z.array(text(listColumnLimits.name)),
) as unknown as z.ZodType<string[], readonly string[] | string>

/** The columns that somebody does not want to see, by the path of the call that lists the rows. */
export const HiddenColumns = z.record(z.string(), z.array(z.string()))
export type HiddenColumns = z.output<typeof HiddenColumns>

export const chooseColumns = endpoint({
  verb: 'PUT',
  also: ['POST'],
  path: '/api/user/columns',
  summary:
    'Keeps which columns of a list one does not want to see; without them the list is as everybody has it',
  needs: 'signedIn',
  audit: 'session.columns',
  input: z.object({
    /** Path of the call that lists the rows. */
    list: text(100),
    hidden: columnNames.optional(),
  }),
  data: HiddenColumns,
  refuses: [],
})

export const listColumnCalls = { chooseColumns }
