import { DownOutlined } from '@ant-design/icons'
import { App, Button, Tooltip } from 'antd'
import { ActionMenu, type MenuAction } from '../kit/action-menu.tsx'
import { useTexts } from '../kit/language.tsx'
import { useNarrow } from '../kit/narrow.ts'
import type { ChosenDevices } from './chosen-devices.ts'
import { useDeviceMenu, type OpenDialog } from './device-menu.ts'

/** Actions with a button of their own; the others are in the menu, on a phone all of them. */
const mostInSight = 7

interface Props {
  chosen: ChosenDevices
  onOpen: OpenDialog
  /** What can be looked at of one device. */
  recordsOf: (deviceId: string) => readonly MenuAction[]
}

/** What can be done with the devices that are ticked, and looked at of a single one. */
export function DeviceToolbar({ chosen, onOpen, recordsOf }: Props) {
  const say = useTexts()
  const narrow = useNarrow()
  const { message } = App.useApp()
  const [first, ...others] = chosen.devices
  const orSayNothingIsChosen = (action: MenuAction): MenuAction => {
    // That is all there is to say then.
    if (first) return action
    const { disabledBecause: _reason, ...rest } = action
    return { ...rest, act: () => void message.warning(say('refusals.noDeviceChosen')) }
  }
  const actions = useDeviceMenu(onOpen)(chosen).map(orSayNothingIsChosen)
  const onlyOne = others.length > 0 ? say('devices.why.onlyOne') : undefined
  const records = recordsOf(first?.deviceId ?? '')
    .map((record) => ({ ...record, disabledBecause: onlyOne }))
    .map(orSayNothingIsChosen)
  const inSight = narrow ? [] : actions.slice(0, mostInSight)
  const inMenu = [...records, ...actions.slice(inSight.length)]
  if (inSight.length + inMenu.length === 0) return null
  return (
    <div className="chosen-actions" role="toolbar" aria-label={say('devices.action.withChosen')}>
      {inSight.map((action) => (
        <ToolbarButton key={action.key} action={action} />
      ))}
      {inMenu.length > 0 && (
        <ActionMenu actions={inMenu}>
          {say(narrow ? 'devices.action.withChosen' : 'devices.action.more')} <DownOutlined aria-hidden />
        </ActionMenu>
      )}
    </div>
  )
}

/** A disabled one stays focusable, so that its reason can be read on focus and hover. */
export function ToolbarButton({
  action: { text, danger = false, disabledBecause, act },
}: {
  action: MenuAction
}) {
  const isDisabled = disabledBecause !== undefined
  const button = (
    <Button
      danger={danger}
      aria-disabled={isDisabled}
      className={isDisabled ? 'disabled-action' : ''}
      onClick={() => !isDisabled && act()}
    >
      {text}
    </Button>
  )
  return isDisabled ? (
    <Tooltip title={disabledBecause} trigger={['hover', 'focus']}>
      {button}
    </Tooltip>
  ) : (
    button
  )
}
