import { chooseColumns, endpoints } from '@chairside/contract'
import { handle, type Call } from '../kit/call.ts'
import { deleteHiddenColumns, findHiddenColumns, saveHiddenColumns } from './list-columns-sql.ts'

/** Lists there are; an account keeps one choice for each, so that it cannot fill the table. */
const lists = new Set(
  Object.values(endpoints)
    .filter(({ verb }) => verb === 'GET')
    .map(({ path }): string => path),
)

/** Keeps which columns of a list one does not want to see; the session user carries them from then on. */
export const chooseColumnsCall: Call = handle(
  chooseColumns,
  async ({ db, input: { list, hidden }, caller, refuseField, audit }) => {
    const { accountId, userName } = caller()
    if (!lists.has(list)) refuseField('list', 'validation.listUnknown')
    const before = (await findHiddenColumns(db, accountId))[list]
    const after = hidden && [...new Set(hidden)]
    audit({ target: userName, before: { [list]: before }, after: { [list]: after } })
    if (after) await saveHiddenColumns(db, { accountId, list, hidden: after })
    else await deleteHiddenColumns(db, accountId, list)
    return findHiddenColumns(db, accountId)
  },
)
