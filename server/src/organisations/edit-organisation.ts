import { editAgent, editMerchant, maskedNumber, type ParsedInputOf } from '@chairside/contract'
import { handle, type Call, type CallContext } from '../kit/call.ts'
import { keepUnchanged } from '../kit/keep-unchanged.ts'
import { maskedChange } from './masked-change.ts'
import { askForInitials } from './name-initials.ts'
import {
  asListed,
  asOwned,
  findProfileToChange,
  updateProfile,
  type OrganisationRecord,
} from './organisations-sql.ts'
import { renameOwner } from './owner-accounts-sql.ts'

type Context = CallContext<typeof editAgent> | CallContext<typeof editMerchant>
type ProfileInput = Omit<ParsedInputOf<typeof editAgent>, 'id' | 'userid'>

/** How `withChanges` refuses what is no mobile. */
type RefuseMobile = (field: 'mobile', messageKey: string) => never

/**
 * A profile with what was sent of it; a masked mobile that comes back from a form is no other mobile (decisions §1), and
 * one that was changed, or that another one has replaced since, is none at all.
 */
export function withChanges(
  before: OrganisationRecord,
  input: ProfileInput,
  refuseField: RefuseMobile,
): OrganisationRecord {
  const { name, telephone, mobile, email, address, remark, mchId, appId } = before
  const sent = keepUnchanged(input, { name, telephone, mobile, email, address, remark, mchId, appId })
  const isMasked = sent.mobile !== undefined && sent.mobile === maskedNumber(before.mobile)
  if (!isMasked && sent.mobile !== before.mobile && sent.mobile?.includes('*'))
    refuseField('mobile', 'validation.mobileMasked')
  return {
    ...before,
    name: sent.name,
    telephone: sent.telephone ?? before.telephone,
    mobile: isMasked ? before.mobile : (sent.mobile ?? before.mobile),
    email: sent.email ?? before.email,
    address: sent.address ?? before.address,
    remark: sent.remark ?? before.remark,
    mchId: sent.mchId ?? before.mchId,
    appId: sent.appId ?? before.appId,
  }
}

/** What the audit trail keeps of a profile that was changed. */
export const auditedProfiles = (before: OrganisationRecord, after: OrganisationRecord) =>
  maskedChange(asOwned(before), asOwned(after), ['mobile', 'accountid'])

/** Changes an agent or merchant below the caller; one's own goes through the basic information. */
async function editOrganisation(kind: 'agent' | 'merchant', context: Context) {
  const { db, scope, input, caller, refuse, refuseField, audit } = context
  const before = await findProfileToChange(db, scope, kind, input.id)
  if (!before) return refuse('notFound')
  audit({ target: before.userId })
  if (before.id === caller().organisationId) return refuse('notPossible')
  const { userid: userId = before.userId } = keepUnchanged(input, { userid: before.userId })
  const after = { ...withChanges(before, input, refuseField), userId }
  await updateProfile(db, before.id, after)
  if (!(await renameOwner(db, before.id, { userName: after.userId, realName: after.name })))
    return refuse('userNameTaken')
  if (after.name !== before.name) await askForInitials(db)
  audit({ target: after.userId, ...auditedProfiles(before, after) })
  return asListed(after)
}

export const editOrganisationCalls: Call[] = [
  handle(editMerchant, (context) => editOrganisation('merchant', context)),
  handle(editAgent, (context) => editOrganisation('agent', context)),
]
