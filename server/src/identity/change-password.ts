import { changePassword } from '@chairside/contract'
import { handleOutside, type Call } from '../kit/call.ts'
import { inTransaction } from '../kit/database.ts'
import { endOtherSessions, findPasswordHash, replacePassword } from './accounts-sql.ts'
import { checkPassword, hashPassword } from './passwords.ts'
import { beginAttempt, endAttempt, forgetFailures } from './sign-in-throttle.ts'
import { hashToken } from './tokens.ts'

/**
 * Changes one's own password (spec 1 §5) and ends one's other sessions. Whoever has only a stolen token guesses the old
 * password no faster than at the sign-in.
 */
export const changePasswordCall: Call = handleOutside(
  changePassword,
  async ({ db, input, caller, token, now, address, refuse, refuseField, audit }) => {
    const { accountId, userName } = caller()
    audit({ target: userName })
    if (input.newPasswordAgain !== input.newPassword)
      refuseField('newPasswordAgain', 'identity.password.notSame')
    if (input.newPassword === input.oldPassword) refuseField('newPassword', 'identity.password.notNew')
    const attempt = { userName, address, now }
    if (!(await beginAttempt(db, attempt))) refuse('tooManyAttempts')
    const oldHash = await findPasswordHash(db, accountId)
    if (!oldHash || !(await checkPassword(oldHash, input.oldPassword))) return refuse('wrongPassword')
    const newHash = await hashPassword(input.newPassword)
    const endedSessions = await inTransaction(db, async (trx) => {
      if (!(await replacePassword(trx, accountId, { oldHash, newHash }))) return undefined
      await endAttempt(trx, attempt)
      await forgetFailures(trx, userName)
      return endOtherSessions(trx, accountId, hashToken(token))
    })
    return endedSessions === undefined ? refuse('wrongPassword') : { endedSessions }
  },
)
