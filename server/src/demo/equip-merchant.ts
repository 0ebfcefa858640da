import {
  cities,
  deviceModels,
  givenNames,
  massageGoods,
  openingHours,
  sleepGoods,
  specialGoods,
  surnames,
  venues,
} from './names.ts'
import type { DemoNetwork, DemoOrganisation } from './network.ts'
import type { SeededRandom } from './seeded-random.ts'

const personOf = (random: SeededRandom) => random.pick(surnames) + random.pick(givenNames)

/** Gives a merchant its places, templates with goods, devices and members. */
export function equipMerchant(
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
