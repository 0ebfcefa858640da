import {
  getBankAccount,
  getOwnAdmin,
  getOwnAgent,
  getOwnMerchant,
  saveBankAccount,
  saveOwnAdmin,
  saveOwnAgent,
  saveOwnMerchant,
  userTypes,
} from '@chairside/contract'
import { handle, type Call, type CallContext } from '../kit/call.ts'
import { platformScope } from '../kit/scope.ts'
import { auditedProfiles, withChanges } from './edit-organisation.ts'
import { maskedChange } from './masked-change.ts'
import { askForInitials } from './name-initials.ts'
import {
  asOwned,
  findProfile,
  findProfileToChange,
  updateBankAccount,
  updateProfile,
  type OrganisationRecord,
} from './organisations-sql.ts'
import { renameOwner } from './owner-accounts-sql.ts'

type Context = Pick<CallContext, 'db' | 'caller'>

const kindOfType = { 0: 'platform', 1: 'agent', 2: 'merchant', 3: 'agent', 4: 'merchant' } as const

/**
 * The organisation the caller belongs to; its id needs no other scope. An admin is shown under a name of its own; an
 * agent's or merchant's is its owner's as it is now, which whoever stands above may have changed since the call began.
 */
async function own(
  { db, caller }: Context,
  find: typeof findProfile = findProfile,
): Promise<OrganisationRecord> {
  const { organisationId, type, userName } = caller()
  const found = await find(db, platformScope, kindOfType[type], organisationId)
  if (!found) throw new Error(`organisation ${organisationId} of a caller is not there`)
  return type === userTypes.admin ? { ...found, userId: userName } : found
}

const readOwn = async (context: Context) => asOwned(await own(context))

/** All that saving needs of its context, whichever of the three paths it came by. */
type SaveContext = Pick<
  CallContext<typeof saveOwnMerchant>,
  'db' | 'input' | 'caller' | 'refuseField' | 'audit'
>

async function saveOwn(context: SaveContext) {
  const { db, input, caller, refuseField, audit } = context
  const before = await own(context, findProfileToChange)
  const after = withChanges(before, input, refuseField)
  await updateProfile(db, before.id, after)
  // An agent and a merchant is its owner; the platform is none of its admins.
  if (caller().type !== userTypes.admin)
    await renameOwner(db, before.id, { userName: before.userId, realName: after.name })
  if (after.name !== before.name) await askForInitials(db)
  audit({ target: before.userId, ...auditedProfiles(before, after) })
  return asOwned(after)
}

const bankAccountOf = ({ accountid, accountname, accountbank }: OrganisationRecord) => ({
  accountId: accountid,
  accountName: accountname,
  accountBank: accountbank,
})

/** One's own basic information and bank account (spec 1 §§2, 7). */
export const ownProfileCalls: Call[] = [
  handle(getOwnMerchant, readOwn),
  handle(getOwnAgent, readOwn),
  handle(getOwnAdmin, readOwn),
  handle(saveOwnMerchant, saveOwn),
  handle(saveOwnAgent, saveOwn),
  handle(saveOwnAdmin, saveOwn),
  handle(getBankAccount, async (context) => bankAccountOf(await own(context))),
  handle(saveBankAccount, async (context) => {
    const { db, input, audit } = context
    const before = await own(context, findProfileToChange)
    const after = bankAccountOf({ ...before, ...input })
    await updateBankAccount(db, before.id, after)
    audit({ target: before.userId, ...maskedChange(bankAccountOf(before), after, ['accountId']) })
    return after
  }),
]
