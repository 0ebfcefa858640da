import { isMerchantMode, type OrganisationProfile } from '@chairside/contract'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useAddress } from '../kit/address.ts'
import { useReadOnce } from '../kit/call.ts'
import { FormField } from '../kit/form-field.tsx'
import { FormPanel } from '../kit/form-panel.tsx'
import { useTexts } from '../kit/language.tsx'
import { OrganisationPicker } from '../kit/organisation-picker.tsx'
import { useShowPassword } from '../kit/password-shown.tsx'
import { BlockedPage } from '../kit/plain-page.tsx'
import { ReadState } from '../kit/read-state.tsx'
import { ScreenHeader } from '../kit/screen-header.tsx'
import { useMay, useUser } from '../kit/user.ts'
import { organisationCalls, type OrganisationKind } from './organisation-calls.ts'
import { profileFields, typedProfile, type ProfileName } from './profile-fields.ts'
import { TextFields, type TextFieldDefinition } from './text-fields.tsx'

/** `/addagent` and `/addmerchant`. */
export const AddAgentPage = () => <AddPage kind="agent" />
export const AddMerchantPage = () => <AddPage kind="merchant" />

/** `/editagent/{id}` and `/editmerchant/{id}`. */
export const EditAgentPage = () => <EditPage kind="agent" />
export const EditMerchantPage = () => <EditPage kind="merchant" />

type FieldName = ProfileName | 'userid' | 'mchId' | 'appId'
type Typed = Record<FieldName, string>

const profileAndPayment: readonly TextFieldDefinition<FieldName>[] = [
  ...profileFields,
  { name: 'mchId', text: 'organisations.field.mchId' },
  { name: 'appId', text: 'organisations.field.appId' },
]
const fieldsOf = (hint: NonNullable<TextFieldDefinition<'userid'>['hint']>) => [
  { name: 'userid' as const, text: 'organisations.field.userId' as const, hint, required: true },
  ...profileAndPayment,
]
const addFields = fieldsOf('organisations.form.userIdHint')
const editFields = fieldsOf('organisations.form.userIdEditHint')
const editFieldsOfMasked = editFields.map((field) =>
  field.name === 'mobile' ? { ...field, hint: 'organisations.form.mobileHint' as const } : field,
)

const nothingTyped: Typed = {
  userid: '',
  name: '',
  telephone: '',
  mobile: '',
  email: '',
  address: '',
  remark: '',
  mchId: '',
  appId: '',
}
/** A user name that is taken is reported at its field. */
const refusedAt = { '106': 'userid' }

/** The address carries what the list showed, so that one comes back to the same rows. */
function useBackToList() {
  const navigate = useNavigate()
  const [state] = useAddress()
  return (search = state) => void navigate({ to: '/merchants', search: search as never })
}

/** Adds an agent or merchant below the one that the list was drilled down to, or below another of the caller's. */
function AddPage({ kind }: { kind: OrganisationKind }) {
  const say = useTexts()
  const may = useMay()
  const [state] = useAddress()
  const backToList = useBackToList()
  const showPassword = useShowPassword()
  const [parentid, setParentId] = useState(state['parentid'] ?? '')
  const [typed, setTyped] = useState(nothingTyped)
  const { create, keys, texts } = organisationCalls[kind]
  if (!may(keys.add)) return <FormBlocked />
  return (
    <>
      <ScreenHeader title={say(texts.add)} />
      <FormPanel
        endpoint={create}
        input={{ ...typed, parentid }}
        refusedAt={refusedAt}
        submitText={say('organisations.form.add')}
        doneText={say('organisations.form.added')}
        onDone={({ userId, password }) => {
          showPassword(userId, password)
          backToList(parentid === '' ? {} : { parentid })
        }}
        onLeave={() => backToList()}
      >
        {(errors) => (
          <>
            <FormField
              name="parentid"
              label={say('organisations.form.parent')}
              error={errors['parentid']}
              hint={say('organisations.form.parentHint')}
            >
              {({ id }) => (
                <OrganisationPicker id={id} kind="agent" value={parentid} onChange={setParentId} />
              )}
            </FormField>
            <TextFields
              endpoint={create}
              fields={addFields}
              typed={typed}
              errors={errors}
              focused="userid"
              onChange={setTyped}
            />
          </>
        )}
      </FormPanel>
    </>
  )
}

/** Nobody is below a merchant. */
const FormBlocked = () => <BlockedPage isForOthers={isMerchantMode(useUser().type)} />

function EditPage({ kind }: { kind: OrganisationKind }) {
  const may = useMay()
  return may(organisationCalls[kind].keys.edit) ? <EditLoaded kind={kind} /> : <FormBlocked />
}

function EditLoaded({ kind }: { kind: OrganisationKind }) {
  const say = useTexts()
  const { id } = useParams({ strict: false }) as { id: string }
  const { get, texts } = organisationCalls[kind]
  const read = useReadOnce(get, { id })
  return (
    <>
      <ScreenHeader title={say(texts.edit, { name: read.data?.name ?? '' })} />
      <ReadState read={read}>{read.data && <EditForm kind={kind} profile={read.data} />}</ReadState>
    </>
  )
}

function EditForm({ kind, profile }: { kind: OrganisationKind; profile: OrganisationProfile }) {
  const say = useTexts()
  const backToList = useBackToList()
  const { edit } = organisationCalls[kind]
  const [typed, setTyped] = useState<Typed>({
    userid: profile.userId,
    ...typedProfile(profile),
    mchId: profile.mchId,
    appId: profile.appId,
  })
  // The call keeps the user name when none is sent; whoever empties the field wants something else.
  const check = (): Record<string, string> =>
    typed.userid.trim() === '' ? { userid: say('validation.required') } : {}
  // A mobile that was hidden in part cannot be sent back, and a user name is what somebody signs in with.
  const canUndo = typed.mobile === profile.mobile && typed.userid === profile.userId
  return (
    <FormPanel
      endpoint={edit}
      canUndo={canUndo}
      input={{ ...typed, id: profile.id }}
      check={check}
      refusedAt={refusedAt}
      submitText={say('organisations.form.save')}
      doneText={say('organisations.form.updated')}
      onDone={() => backToList()}
      onLeave={() => backToList()}
    >
      {(errors) => (
        <TextFields
          endpoint={edit}
          fields={profile.mobile === '' ? editFields : editFieldsOfMasked}
          typed={typed}
          errors={errors}
          focused="name"
          onChange={setTyped}
        />
      )}
    </FormPanel>
  )
}
