import { permissionIds } from '@chairside/contract'
import {
  brands,
  cities,
  deviceModels,
  districts,
  givenNames,
  massageGoods,
  openingHours,
  sleepGoods,
  specialGoods,
  surnames,
  venues,
} from './names.ts'
import type { SeededRandom } from './seeded-random.ts'

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

/** Depth of the tree of agents below the platform. */
const agentLevels = 4
const firstOrganisationId = 1001

const mobileOf = (random: SeededRandom) =>
  `1${random.pick(['38', '39', '58', '86', '77', '50'])}${String(random.between(0, 99_999_999)).padStart(8, '0')}`
const personOf = (random: SeededRandom) => random.pick(surnames) + random.pick(givenNames)

/**
 * Makes the network. The first agent, its first sub-agent and its first merchant carry the demo logins `agent`,
 * `agent-sub` and `merchant`; the merchant is the busiest there is.
 */
export function makeNetwork(random: SeededRandom, size: NetworkSize, from: Date): DemoNetwork {
  const organisations = makeOrganisations(random, size, from)
  const merchants = organisations.filter(({ kind }) => kind === 'merchant')
  const network: DemoNetwork = {
    organisations,
    places: [],
    templates: [],
    goods: [],
    devices: [],
    members: [],
    subAccounts: [],
  }
  const weights = merchants.map((_, index) => (index === 0 ? 12 : 1 / (1 + index / 12) + random.next() * 0.6))
  const weightSum = weights.reduce((sum, weight) => sum + weight, 0)
  for (const [index, merchant] of merchants.entries()) {
    const share = (weights[index] ?? 0) / weightSum
    equipMerchant(network, random, merchant, {
      devices: Math.max(1, Math.round(size.devices * 0.97 * share)),
      members: index === 0 ? size.membersPerMerchant * 10 : size.membersPerMerchant,
    })
  }
  addSpareDevices(network, random, Math.ceil(size.devices * 0.03))
  addSubAccounts(network)
  return network
}

function makeOrganisations(random: SeededRandom, size: NetworkSize, from: Date): DemoOrganisation[] {
  const organisations: DemoOrganisation[] = []
  const levels: DemoOrganisation[][] = []
  let id = firstOrganisationId
  const add = (
    organisation: Omit<DemoOrganisation, 'id' | 'path' | 'createdAt' | 'mobile' | 'locked'>,
    parentPath: string,
  ) => {
    const made = {
      ...organisation,
      id,
      path: `${parentPath}.${id}`,
      mobile: mobileOf(random),
      createdAt: new Date(from.getTime() - random.between(30, 700) * 86_400_000),
      locked: false,
    }
    organisations.push(made)
    id++
    return made
  }
  const perLevel = [0.12, 0.25, 0.33, 0.3]
  for (let level = 0; level < agentLevels; level++) {
    const count = Math.max(1, Math.round(size.agents * (perLevel[level] ?? 0)))
    const above = levels[level - 1]
    levels.push(
      Array.from({ length: count }, (_, index) => {
        // The chain of the demo logins comes first on every level.
        const parent = above && (index === 0 ? above[0] : random.pick(above))
        const city = cities[(index + level * 3) % cities.length] ?? cities[0]
        const district = districts[(index * 5 + level) % districts.length] ?? ''
        const name =
          level === 0
            ? `${city.name}总代理${index >= cities.length ? index : ''}`
            : `${city.name}${district}代理${index + 1}`
        const userName =
          level === 0 && index === 0
            ? 'agent'
            : level === 1 && index === 0
              ? 'agent-sub-owner'
              : `agent-${city.code}-${level + 1}-${index + 1}`
        return add(
          {
            parentId: parent?.id ?? 1,
            kind: 'agent',
            name,
            address: `${city.name}市${district}区`,
            userName,
          },
          parent?.path ?? '1',
        )
      }),
    )
  }
  const parents = levels.flat()
  const lowest = levels.at(-1) ?? []
  for (let index = 0; index < size.merchants; index++) {
    const parent =
      index === 0
        ? (levels[1]?.[0] ?? random.pick(parents))
        : random.chance(0.75)
          ? random.pick(lowest)
          : random.pick(parents)
    const brand = brands[index % brands.length] ?? brands[0]
    const city = random.pick(cities)
    const name =
      index === 0
        ? '海底角共享按摩（Deep Corner）'
        : `${brand.name}·${city.name}${random.pick(districts)}店${index + 1}`
    add(
      {
        parentId: parent.id,
        kind: 'merchant',
        name,
        address: `${city.name}市${random.pick(districts)}区`,
        userName: index === 0 ? 'merchant' : `shop-${city.code}-${index + 1}`,
      },
      parent.path,
    )
  }
  const last = organisations.at(-1)
  if (last && size.merchants > 5) last.locked = true
  return organisations
}

function equipMerchant(
  network: DemoNetwork,
  random: SeededRandom,
  merchant: DemoOrganisation,
  wanted: { devices: number; members: number },
): void {
  const placeCount = Math.max(1, Math.min(40, Math.round(wanted.devices / 5)))
  const places = Array.from({ length: placeCount }, (_, index) => {
    const venue = random.pick(venues)
    const [opens, closes] = openingHours[Math.floor(random.next() * 20)] ?? [null, null]
    return {
      id: network.places.length + index + 1,
      merchantId: merchant.id,
      address: `${random.pick(cities).name} ${venue.name}（${venue.en}）`,
      phone: merchant.mobile,
      opens,
      closes,
    }
  })
  network.places.push(...places)
  const massage = addTemplate(network, merchant, 0)
  const isFirst = massage === 1
  const sleep = random.chance(0.3) || isFirst ? addTemplate(network, merchant, 1) : null
  for (let index = 0; index < wanted.devices; index++) {
    const number = network.devices.length + 1
    const modelIndex = random.weighted([5, 8, 10, 11])
    const incomplete = random.next()
    network.devices.push({
      id: number,
      sid: `${random.pick(['G', 'W', 'J', 'K'])}${String(100_000 + number)}`,
      name: `${index + 1} 号椅`,
      modelId: modelIndex + 1,
      merchantId: merchant.id,
      placeId: incomplete < 0.01 ? null : random.pick(places).id,
      templateId: incomplete > 0.99 ? null : massage,
      sleepTemplateId: deviceModels[modelIndex]?.sleep ? sleep : null,
      locked: random.chance(0.01) ? random.between(1, 2) : 0,
      weight: 0.3 + random.next() ** 2 * 2,
    })
  }
  for (let index = 0; index < wanted.members; index++) {
    network.members.push({
      id: network.members.length + 1,
      merchantId: merchant.id,
      // The number at the end keeps mobiles of one merchant apart.
      mobile: `13${String(random.between(0, 9999)).padStart(4, '0')}${String(index).padStart(5, '0')}`,
      name: personOf(random),
      sex: random.pick([-1, 1, 2]),
    })
  }
}

interface GoodsOffered {
  minutes: number
  cents: number
  name: string
  nameEn: string
  freeFirst?: boolean
  memberOnly?: boolean
  stock?: number
  ofThisYear?: boolean
}

function addTemplate(network: DemoNetwork, merchant: DemoOrganisation, workMode: 0 | 1): number {
  const id = network.templates.length + 1
  network.templates.push({
    id,
    merchantId: merchant.id,
    name: workMode === 0 ? '标准按摩套餐' : '夜间睡眠套餐',
    workMode,
  })
  const usual = workMode === 0 ? massageGoods : sleepGoods
  const offered: readonly GoodsOffered[] = id === 1 ? [...usual, ...specialGoods] : usual
  for (const [index, goods] of offered.entries()) {
    network.goods.push({
      id: network.goods.length + 1,
      templateId: id,
      merchantId: merchant.id,
      name: goods.name,
      nameEn: goods.nameEn,
      priceCents: goods.cents,
      durationMinutes: goods.minutes,
      queue: 100 - index * 10,
      freeFirst: goods.freeFirst ?? false,
      memberOnly: goods.memberOnly ?? false,
      stock: goods.stock ?? -1,
      ofThisYear: goods.ofThisYear ?? false,
    })
  }
  return id
}

function addSpareDevices(network: DemoNetwork, random: SeededRandom, count: number): void {
  for (let index = 0; index < count; index++) {
    const id = network.devices.length + 1
    network.devices.push({
      id,
      sid: `N${String(100_000 + id)}`,
      name: '',
      modelId: random.between(1, deviceModels.length),
      merchantId: null,
      placeId: null,
      templateId: null,
      sleepTemplateId: null,
      locked: 0,
      weight: 0,
    })
  }
}

function addSubAccounts(network: DemoNetwork): void {
  const agent = network.organisations.find(({ userName }) => userName === 'agent')
  const merchant = network.organisations.find(({ userName }) => userName === 'merchant')
  if (agent) {
    network.subAccounts.push({
      userName: 'agent-sub',
      realName: '代理客服',
      organisationId: agent.id,
      permissionIds: permissionIds('agent'),
      placeIds: [],
    })
  }
  if (merchant) {
    const place = network.places.find(({ merchantId }) => merchantId === merchant.id)
    network.subAccounts.push({
      userName: 'merchant-sub',
      realName: '门店店长',
      organisationId: merchant.id,
      permissionIds: permissionIds('merchant'),
      placeIds: place ? [place.id] : [],
    })
  }
}
