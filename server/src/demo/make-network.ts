import { ownersIds, permissionIds, type PermissionTree } from '@chairside/contract'
import { equipMerchant } from './equip-merchant.ts'
import { makeOrganisations } from './make-organisations.ts'
import { deviceModels } from './names.ts'
import type { DemoNetwork, NetworkSize } from './network.ts'
import type { SeededRandom } from './seeded-random.ts'

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

/** Everything of a tree but what is for owners alone. */
function allOfSubAccounts(tree: PermissionTree): number[] {
  const ofOwners = ownersIds(tree)
  return permissionIds(tree).filter((id) => !ofOwners.includes(id))
}

function addSubAccounts(network: DemoNetwork): void {
  const agent = network.organisations.find(({ userName }) => userName === 'agent')
  const merchant = network.organisations.find(({ userName }) => userName === 'merchant')
  if (agent) {
    network.subAccounts.push({
      userName: 'agent-sub',
      realName: '代理客服',
      organisationId: agent.id,
      permissionIds: allOfSubAccounts('agent'),
      placeIds: [],
    })
  }
  if (merchant) {
    const place = network.places.find(({ merchantId }) => merchantId === merchant.id)
    network.subAccounts.push({
      userName: 'merchant-sub',
      realName: '门店店长',
      organisationId: merchant.id,
      permissionIds: allOfSubAccounts('merchant'),
      placeIds: place ? [place.id] : [],
    })
  }
}
