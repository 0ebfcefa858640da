/* A made-up network in memory, with its ids, before anything is written. */

export interface DemoOrganisation {
  id: number
  parentId: number
  kind: 'agent' | 'merchant'
  path: string
  name: string
  mobile: string
  address: string
  userName: string
  createdAt: Date
  locked: boolean
}
export interface DemoPlace {
  id: number
  merchantId: number
  address: string
  phone: string
  opens: string | null
  closes: string | null
}
export interface DemoGoods {
  id: number
  templateId: number
  merchantId: number
  name: string
  nameEn: string
  priceCents: number
  durationMinutes: number
  queue: number
  freeFirst: boolean
  memberOnly: boolean
  stock: number
  /** Sold in the year it is. */
  ofThisYear: boolean
}
export interface DemoTemplate {
  id: number
  merchantId: number
  name: string
  workMode: 0 | 1
}
export interface DemoDevice {
  id: number
  sid: string
  name: string
  modelId: number
  /** null: not with a merchant yet. */
  merchantId: number | null
  placeId: number | null
  templateId: number | null
  sleepTemplateId: number | null
  locked: number
  /** How much it is used beside the others. */
  weight: number
}
export interface DemoMember {
  id: number
  merchantId: number
  mobile: string
  name: string
  sex: number
}

export interface DemoNetwork {
  organisations: DemoOrganisation[]
  places: DemoPlace[]
  templates: DemoTemplate[]
  goods: DemoGoods[]
  devices: DemoDevice[]
  members: DemoMember[]
  /** Accounts beside the owners, with the places they are bound to. */
  subAccounts: {
    userName: string
    realName: string
    organisationId: number
    permissionIds: number[]
    placeIds: number[]
  }[]
}

export interface NetworkSize {
  agents: number
  merchants: number
  devices: number
  membersPerMerchant: number
}
