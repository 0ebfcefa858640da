import type { OrganisationProfile } from '@chairside/contract'
import type { TextFieldDefinition } from './text-fields.tsx'

const profileNames = ['name', 'telephone', 'mobile', 'email', 'address', 'remark'] as const
export type ProfileName = (typeof profileNames)[number]

/** What everybody's own profile says, and the form of an agent or merchant too (spec 1 §2). */
export const profileFields: readonly TextFieldDefinition<ProfileName>[] = [
  { name: 'name', text: 'organisations.field.name', required: true },
  { name: 'telephone', text: 'organisations.field.telephone', inputMode: 'tel' },
  { name: 'mobile', text: 'organisations.field.mobile', inputMode: 'tel' },
  { name: 'email', text: 'organisations.field.email', inputMode: 'email' },
  { name: 'address', text: 'organisations.field.address' },
  { name: 'remark', text: 'organisations.field.remark', isLong: true },
]

/** The texts that a form of a profile starts with. */
export const typedProfile = ({ name, telephone, mobile, email, address, remark }: OrganisationProfile) => ({
  name,
  telephone,
  mobile,
  email,
  address,
  remark,
})
