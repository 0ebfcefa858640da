import type { OrganisationFound } from '@chairside/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestNetwork, type TestNetwork } from '../testing/test-network.ts'
import { organisationsOf } from '../testing/test-organisations.ts'
import { addOrganisation } from '../testing/test-server.ts'

let network: TestNetwork
beforeAll(async () => {
  network = await startTestNetwork()
})
afterAll(() => network.stop())

const { add, data } = organisationsOf(() => network)

describe('the search of organisations', () => {
  it('names who stands between the caller and what it finds, and nobody above the caller', async () => {
    const { admin } = network.tokens
    const top = await addOrganisation(network, 'agent', 'SearchTop')
    const mid = await addOrganisation(network, 'agent', 'SearchMid', top)
    const shop = await add('merchant', admin, { parentid: mid, name: 'Sought Shop', userid: 'SoughtShop' })
    const chainFor = async (token: string) => {
      const found = await data<OrganisationFound[]>(token, 'GET', '/api/merchants/userid?userid=soughts')
      return found.map(({ id, userId, chain }) => ({ id, userId, chain: chain.map((one) => one.id) }))
    }
    const sought = { id: shop.id, userId: 'SoughtShop' }
    expect(await chainFor(admin)).toEqual([{ ...sought, chain: [top, mid] }])
    expect(await chainFor(await network.signIn('SearchMid'))).toEqual([{ ...sought, chain: [mid] }])
  })

  it('finds by name in their order, and nothing for a single letter', async () => {
    const { admin } = network.tokens
    for (const name of ['Zz 二', 'Zz 一', 'Zz 0']) await add('merchant', admin, { name })
    const names = async (text: string) => {
      const path = `/api/merchants/userid?username=${encodeURIComponent(text)}`
      return (await data<OrganisationFound[]>(admin, 'GET', path)).map(({ name }) => name)
    }
    expect(await names('zz')).toEqual(['Zz 0', 'Zz 一', 'Zz 二'])
    expect(await names('z')).toEqual([])
    // Of these letters JavaScript and PostgreSQL make different small ones.
    const foreign = 'İnci ΟΔΟΣ'
    await add('merchant', admin, { name: foreign })
    for (const text of ['İn', 'İnc', 'inci', 'ΟΔΟΣ', 'οδοσ', 'ΟΣ'])
      expect(await names(text), text).toEqual([foreign])
  })
})
