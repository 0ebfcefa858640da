import {
  activateTwoStep,
  getTwoStepImage,
  getTwoStepSecret,
  isMerchantMode,
  resetTwoStep,
  secretWaitsMinutes,
} from '@chairside/contract'
import { generateSecret, generateURI } from 'otplib'
import QRCode from 'qrcode'
import { handle, type Call } from '../kit/call.ts'
import type { Principal } from '../kit/principal.ts'
import type { SecretBox } from '../kit/secrets.ts'
import { endSessions } from './accounts-sql.ts'
import { holdsMore, ownTeam } from './manage-accounts.ts'
import { lockAccountWithinScope, lockManagedAccount } from './managed-accounts-sql.ts'
import type { AccountRow } from './principal-sql.ts'
import { stepOfCode } from './two-step.ts'
import { activateOffer, clearTwoStep, findOffer, lockOffer, offerSecret } from './two-step-sql.ts'

const imageWidthPixels = 240
/** What an authenticator shows beside the user name. */
const issuer = 'Chairside'

/** A sub-account never decides on its owner, and nobody on who holds more. */
const isBeyond = (account: AccountRow, caller: Principal): boolean =>
  (account.isOwner &&
    account.organisationKind !== 'platform' &&
    account.organisationId === caller.organisationId) ||
  holdsMore(account, caller)

/** Two-step by an authenticator (spec 1 §§4, 7; decisions §2). */
export function createTwoStepCalls(secrets: SecretBox): Call[] {
  return [
    handle(getTwoStepSecret, async ({ db, caller, now }) => {
      const secret = generateSecret()
      const uuid = await offerSecret(db, {
        accountId: caller().accountId,
        sealedSecret: secrets.seal(secret),
        expiresAt: new Date(now.getTime() + secretWaitsMinutes * 60_000),
      })
      return { uuid, secret }
    }),
    handle(getTwoStepImage, async ({ db, input, caller, now, refuse }) => {
      const { accountId, userName } = caller()
      const sealed = await findOffer(db, { accountId, id: input.uuid, now })
      if (!sealed) return refuse('notFound')
      const address = generateURI({ issuer, label: userName, secret: secrets.open(sealed) })
      return QRCode.toBuffer(address, { width: imageWidthPixels })
    }),
    handle(activateTwoStep, async ({ db, input, caller, now, refuse, audit }) => {
      const { accountId, userName, twoStepEnabled } = caller()
      audit({ target: userName })
      const sealed = await lockOffer(db, accountId, now)
      if (!sealed) return refuse('secretExpired')
      const step = stepOfCode(secrets.open(sealed), input.otp, now)
      if (step === undefined) return refuse('wrongCode')
      await activateOffer(db, accountId, step)
      audit({ before: { twoStepEnabled }, after: { twoStepEnabled: true } })
      return { twoStepEnabled: true }
    }),
    handle(resetTwoStep, async ({ db, scope, input, caller, refuse, audit }) => {
      const account = isMerchantMode(caller().type)
        ? await lockManagedAccount(db, ownTeam(caller()), input)
        : await lockAccountWithinScope(db, scope, input.userName)
      if (!account) return refuse('notFound')
      audit({ target: account.userName })
      if (account.accountId === caller().accountId) return refuse('notYourself')
      if (isBeyond(account, caller())) return refuse('holdsMoreThanYou')
      if (!account.twoStepEnabled) return refuse('twoStepNotActive')
      await clearTwoStep(db, account.accountId)
      await endSessions(db, account.accountId)
      audit({ before: { twoStepEnabled: true }, after: { twoStepEnabled: false } })
      return null
    }),
  ]
}
