import {
  getBankAccount,
  getOwnAdmin,
  getOwnAgent,
  getOwnMerchant,
  isSubordinate,
  saveBankAccount,
  saveOwnAdmin,
  saveOwnAgent,
  saveOwnMerchant,
  userTypes,
  type BankAccount,
  type OrganisationProfile,
  type UserType,
} from '@chairside/contract'
import { useState } from 'react'
import { useReadOnce } from '../kit/call.ts'
import { Facts } from '../kit/facts.tsx'
import { FormPanel } from '../kit/form-panel.tsx'
import { useTexts } from '../kit/language.tsx'
import { BlockedPage } from '../kit/plain-page.tsx'
import { ReadState } from '../kit/read-state.tsx'
import { ScreenHeader } from '../kit/screen-header.tsx'
import { useMay, useUser } from '../kit/user.ts'
import { profileFields, typedProfile, type ProfileName } from './profile-fields.ts'
import { TextFields, type TextFieldDefinition } from './text-fields.tsx'

/** Each kind of user has a profile page of its own (spec 1 §2). */
function ownCallsOf(type: UserType) {
  if (type === userTypes.admin) return { get: getOwnAdmin, save: saveOwnAdmin }
  if (type === userTypes.agent) return { get: getOwnAgent, save: saveOwnAgent }
  return { get: getOwnMerchant, save: saveOwnMerchant }
}

const ownFields: readonly TextFieldDefinition<ProfileName | 'userId'>[] = [
  { name: 'userId', text: 'organisations.field.userId', isReadOnly: true },
  ...profileFields,
]
const accountFields: readonly TextFieldDefinition<'accountid' | 'accountname' | 'accountbank'>[] = [
  { name: 'accountid', text: 'organisations.field.accountId', inputMode: 'numeric', required: true },
  { name: 'accountname', text: 'organisations.field.accountName', required: true },
  { name: 'accountbank', text: 'organisations.field.accountBank', required: true },
]

/** `/myinformation`: one's own basic information and bank account; not for sub-accounts. */
export function MyInformationPage() {
  const { type } = useUser()
  return isSubordinate(type) ? <BlockedPage isForOthers /> : <MyInformation type={type} />
}

function MyInformation({ type }: { type: UserType }) {
  const say = useTexts()
  const mayEdit = useMay()('baseinfo.edit')
  const profile = useReadOnce(ownCallsOf(type).get, {})
  const account = useReadOnce(getBankAccount, {})
  const ProfilePart = mayEdit ? ProfileForm : ProfileFacts
  const AccountPart = mayEdit ? AccountForm : AccountFacts
  return (
    <>
      <ScreenHeader title={say('organisations.own.title')} />
      {!mayEdit && <p className="hint">{say('organisations.own.readOnly')}</p>}
      <ReadState read={profile}>
        {profile.data && <ProfilePart type={type} profile={profile.data} />}
      </ReadState>
      <ReadState read={account}>{account.data && <AccountPart account={account.data} />}</ReadState>
    </>
  )
}

interface ProfileProps {
  type: UserType
  profile: OrganisationProfile
}

function ProfileForm({ type, profile }: ProfileProps) {
  const say = useTexts()
  const { save } = ownCallsOf(type)
  const [typed, setTyped] = useState(typedProfile(profile))
  return (
    <FormPanel
      title={profile.name}
      endpoint={save}
      input={typed}
      submitText={say('organisations.own.save')}
      doneText={say('organisations.own.updated')}
    >
      {(errors) => (
        <>
          <TextFields
            endpoint={save}
            fields={ownFields}
            typed={{ ...typed, userId: profile.userId }}
            errors={errors}
            onChange={({ userId: _stays, ...next }) => setTyped(next)}
          />
        </>
      )}
    </FormPanel>
  )
}

function ProfileFacts({ profile }: ProfileProps) {
  const say = useTexts()
  return (
    <section className="panel form-panel">
      <h2>{profile.name}</h2>
      <Facts
        facts={[
          [say('organisations.field.userId'), profile.userId],
          ...profileFields.map(({ name, text }) => [say(text), profile[name]] as const),
        ]}
      />
    </section>
  )
}

const typedAccount = ({ accountId, accountName, accountBank }: BankAccount) => ({
  accountid: accountId,
  accountname: accountName,
  accountbank: accountBank,
})

/** Saved only with number, holder and bank together (spec 1 §5). */
function AccountForm({ account }: { account: BankAccount }) {
  const say = useTexts()
  const [typed, setTyped] = useState(typedAccount(account))
  return (
    <FormPanel
      title={say('organisations.own.bankAccount')}
      endpoint={saveBankAccount}
      input={typed}
      submitText={say('organisations.own.saveAccount')}
      doneText={say('organisations.own.updated')}
    >
      {(errors) => (
        <>
          <p className="hint">{say('organisations.own.bankAccountHint')}</p>
          <TextFields
            endpoint={saveBankAccount}
            fields={accountFields}
            typed={typed}
            errors={errors}
            onChange={setTyped}
          />
        </>
      )}
    </FormPanel>
  )
}

function AccountFacts({ account }: { account: BankAccount }) {
  const say = useTexts()
  const values = typedAccount(account)
  return (
    <section className="panel form-panel">
      <h2>{say('organisations.own.bankAccount')}</h2>
      <Facts facts={accountFields.map(({ name, text }) => [say(text), values[name]] as const)} />
    </section>
  )
}
