import {
  addReceiver,
  editReceiver,
  notificationEvents,
  receiverKinds,
  receiverLimits,
  takesSecret,
  type NotificationEventType,
  type Receiver,
} from '@chairside/contract'
import { languages } from '@chairside/contract/locales/languages'
import { Checkbox, Input, Radio, Select } from 'antd'
import { useState } from 'react'
import { FormDialog } from '../kit/form-dialog.tsx'
import { FormField } from '../kit/form-field.tsx'
import { useLanguage, useTexts } from '../kit/language.tsx'
import { useShowOnce } from '../kit/password-shown.tsx'

interface Props {
  /** The receiver that is edited; a new one is made without it. */
  receiver?: Receiver
  onClose: () => void
}

interface Typed {
  name: string
  kind: Receiver['kind']
  address: string
  secret: string
  language: Receiver['language']
  events: NotificationEventType[]
  active: boolean
}

/** What somebody has to do something about. */
const usualEvents: NotificationEventType[] = ['alertRaised', 'refundApplied', 'refundFailed']

interface FieldsProps {
  typed: Typed
  /** The receiver that is edited. */
  receiver: Receiver | undefined
  errors: Record<string, string>
  onChange: (typed: Typed) => void
}

function ReceiverFields({ typed, receiver, errors, onChange }: FieldsProps) {
  const say = useTexts()
  const change = (changed: Partial<Typed>) => onChange({ ...typed, ...changed })
  const kindName = say('notifications.field.kind')
  return (
    <>
      <FormField name="name" label={say('notifications.field.name')} error={errors['name']} required>
        {(attributes) => (
          <Input
            {...attributes}
            autoFocus
            autoComplete="off"
            maxLength={receiverLimits.name}
            value={typed.name}
            onChange={(event) => change({ name: event.target.value })}
          />
        )}
      </FormField>
      {!receiver && (
        <FormField name="kind" label={kindName} error={errors['kind']} required>
          {({ id }) => (
            <Select
              id={id}
              className="whole-width"
              aria-label={kindName}
              value={typed.kind}
              onChange={(kind) => change({ kind, address: '', secret: '' })}
              options={receiverKinds.map((value) => ({ value, label: say(`notifications.kind.${value}`) }))}
            />
          )}
        </FormField>
      )}
      <FormField
        name="address"
        label={say('notifications.field.address')}
        error={errors['address']}
        hint={
          receiver
            ? say('notifications.keptAddress', { address: receiver.address })
            : say(`notifications.addressHint.${typed.kind}`)
        }
        required={!receiver}
      >
        {(attributes) => (
          <Input
            {...attributes}
            autoComplete="off"
            inputMode={typed.kind === 'email' ? 'email' : 'url'}
            maxLength={receiverLimits.address}
            value={typed.address}
            onChange={(event) => change({ address: event.target.value })}
          />
        )}
      </FormField>
      {takesSecret(typed.kind) && (
        <FormField
          name="secret"
          label={say('notifications.field.secret')}
          error={errors['secret']}
          hint={say(receiver?.hasSecret ? 'notifications.keptSecret' : 'notifications.secretHint')}
        >
          {(attributes) => (
            <Input
              {...attributes}
              autoComplete="off"
              maxLength={receiverLimits.secret}
              value={typed.secret}
              onChange={(event) => change({ secret: event.target.value })}
            />
          )}
        </FormField>
      )}
      <FormField name="events" label={say('notifications.field.events')} error={errors['events']} required>
        {({ id }) => (
          <Checkbox.Group
            aria-labelledby={id}
            aria-label={say('notifications.field.events')}
            value={typed.events}
            onChange={(events) => change({ events })}
            options={notificationEvents.map((value) => ({
              value,
              label: say(`notifications.events.${value}`),
            }))}
          />
        )}
      </FormField>
      <FormField
        name="language"
        label={say('notifications.field.language')}
        error={errors['language']}
        required
      >
        {({ id }) => (
          <Radio.Group
            id={id}
            aria-label={say('notifications.field.language')}
            value={typed.language}
            onChange={(event) => change({ language: event.target.value as Typed['language'] })}
            options={languages.map((value) => ({
              value,
              label: say(`notifications.language.${value}`),
            }))}
          />
        )}
      </FormField>
      {receiver && (
        <div className="form-flags">
          <Checkbox checked={typed.active} onChange={(event) => change({ active: event.target.checked })}>
            {say('notifications.active.true')}
          </Checkbox>
        </div>
      )}
    </>
  )
}

/** Adds a receiver or changes one; what a new webhook's messages are signed with is shown once. */
export function ReceiverDialog({ receiver, onClose }: Props) {
  const say = useTexts()
  const { language } = useLanguage()
  const showOnce = useShowOnce()
  const [typed, setTyped] = useState<Typed>({
    name: receiver?.name ?? '',
    kind: receiver?.kind ?? 'weCom',
    address: '',
    secret: '',
    language: receiver?.language ?? language,
    events: receiver?.events ?? usualEvents,
    active: receiver?.active ?? true,
  })
  const fields = (errors: Record<string, string>) => (
    <ReceiverFields typed={typed} receiver={receiver} errors={errors} onChange={setTyped} />
  )
  const { kind, active, secret, ...common } = typed
  const sent = { ...common, ...(secret === '' ? {} : { secret }) }
  const { name } = typed
  if (!receiver) {
    return (
      <FormDialog
        title={say('notifications.add')}
        endpoint={addReceiver}
        input={{ ...sent, kind }}
        submitText={say('notifications.addSubmit')}
        doneText={say('notifications.added', { name })}
        onDone={(made) => {
          if (made.secret)
            showOnce(
              say('notifications.secretTitle', { name }),
              made.secret,
              say('notifications.secretExplain'),
            )
        }}
        onClose={onClose}
      >
        {fields}
      </FormDialog>
    )
  }
  return (
    <FormDialog
      title={say('notifications.editTitle', { name: receiver.name })}
      endpoint={editReceiver}
      input={{ ...sent, active, receiverId: receiver.id }}
      submitText={say('notifications.save')}
      doneText={say('notifications.saved', { name })}
      onClose={onClose}
    >
      {fields}
    </FormDialog>
  )
}
