import { isMerchantMode, userTypes } from '@chairside/contract'
import type { AddressState } from '../kit/address.ts'
import type { FilterDefinition } from '../kit/filter.ts'
import { modelOptions, placeOfDevices, placeOptions, templateOptions } from './device-options.ts'

type Visible = NonNullable<FilterDefinition['visible']>

/** Devices that belong to nobody are for admins to see. */
const seesNew: Visible = ({ type }) => type === userTypes.admin

/** Whoever looks for devices that belong to nobody looks for no merchant's and no agent's. */
const ofSomebody: Visible = (user, state) =>
  !isMerchantMode(user.type) && !(seesNew(user, state) && state['new'] === '1')

/** Filters of spec 2 §2, "Device list", by role. */
export const deviceFilters: readonly FilterDefinition[] = [
  { name: 'deviceid', text: 'devices.field.deviceId', kind: 'text', maxLength: 20 },
  {
    name: 'merchantid',
    text: 'devices.field.merchantName',
    kind: 'merchant',
    visible: ofSomebody,
  },
  {
    name: 'agentId',
    text: 'console.devices.agent',
    kind: 'agent',
    visible: ofSomebody,
  },
  {
    name: 'placeid',
    text: 'devices.field.placeAddress',
    kind: 'listed',
    source: placeOptions,
    visible: ({ type }) => isMerchantMode(type),
  },
  // Users without places get here from an alert of one; the list has to say that it is of that place only.
  {
    name: 'placeid',
    text: 'devices.field.placeAddress',
    kind: 'given',
    sourceOf: placeOfDevices,
    visible: ({ type }, state) => !isMerchantMode(type) && Boolean(state['placeid']),
  },
  {
    name: 'templateid',
    text: 'devices.field.templateName',
    kind: 'listed',
    source: templateOptions,
    visible: ({ type }) => isMerchantMode(type),
  },
  { name: 'modelid', text: 'devices.field.model', kind: 'listed', source: modelOptions },
  {
    name: 'status',
    text: 'devices.field.status',
    kind: 'choice',
    values: ['1', '4', '2', '3'],
    valueText: 'devices.status',
  },
  {
    name: 'locked',
    text: 'devices.field.locked',
    kind: 'choice',
    values: ['0', '1', '2'],
    valueText: 'devices.locked',
    visible: ({ type }) => type === userTypes.admin,
  },
  {
    name: 'locked',
    text: 'devices.field.locked',
    kind: 'choice',
    values: ['0', '1'],
    valueText: 'devices.lockedOutsideAdmin',
    visible: ({ type }) => type !== userTypes.admin,
  },
  {
    name: 'associated',
    text: 'devices.field.associated',
    kind: 'choice',
    values: ['0', '1', '2'],
    valueText: 'devices.associated',
  },
  {
    name: 'sleepmode',
    text: 'console.devices.sleepMode',
    kind: 'flag',
    yes: 'console.devices.yes',
    no: 'console.devices.no',
  },
  {
    name: 'new',
    text: 'console.devices.newDevices',
    kind: 'checkbox',
    visible: seesNew,
  },
]

/** New devices belong to nobody: the call knows them as those of merchant 0. */
export const newDevicesAsMerchant = (state: AddressState): Record<string, unknown> => ({
  new: undefined,
  ...(state['new'] === '1' ? { merchantid: '0' } : {}),
})
