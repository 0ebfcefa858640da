import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDiskStore } from '../kit/object-store/disk-store.ts'
import { startTestNetwork, type TestNetwork } from '../testing/test-network.ts'
import { sendBanner } from '../testing/uploads.ts'
import { createPictureJobs } from './remove-unused-pictures.ts'

let network: TestNetwork
beforeAll(async () => {
  network = await startTestNetwork()
})
afterAll(() => network.stop())

async function removeUnused(): Promise<void> {
  const [job] = createPictureJobs(createDiskStore(network.pictureFolder))
  const { log } = { log: { info() {} } } as never
  await job?.work({ db: network.db, log }, {})
}

describe('a picture that is shown no more', () => {
  it('goes after 400 days; one that is shown, waits for a review or was taken anew stays', async () => {
    const keys: string[] = []
    for (let count = 0; count < 7; count++) keys.push(await sendBanner(network, network.tokens.merchant))
    const [shown, limited, pending, portrait, of401Days, of399Days, again] = keys as [string, ...string[]]
    await network.pool.query(
      `update pictures set uploaded_at = now() - interval '500 days',
              used_at = now() - case key when $1 then interval '399 days' else interval '401 days' end
        where key = any($2)`,
      [of399Days, keys],
    )
    await network.pool.query(
      `insert into banners (merchant_id, banner_key, time_banner_key, pending_banner_key) values ($1, $2, $3, $4)
       on conflict (merchant_id) do update set banner_key = $2, time_banner_key = $3, pending_banner_key = $4`,
      [network.theirs.merchantId, shown, limited, pending],
    )
    await network.pool.query('update goods set portrait_key = $2 where id = $1', [
      network.theirs.goodsId,
      portrait,
    ])
    const { body } = await network.call('POST', '/api/goods/banner/upload', {
      token: network.tokens.merchant,
      body: { bannerkey: again },
    })
    expect(body.resultCode).toBe('000')
    const left = async () =>
      (
        await network.pool.query<{ key: string }>('select key from pictures where key = any($1)', [keys])
      ).rows.map(({ key }) => key)
    await removeUnused()
    expect(new Set(await left())).toEqual(new Set(keys.filter((key) => key !== of401Days)))
    expect(fs.existsSync(path.join(network.pictureFolder, of401Days ?? ''))).toBe(false)
    // What was shown until a moment ago stays for those who want it back.
    await network.pool.query(`update banners set banner_key = '' where merchant_id = $1`, [
      network.theirs.merchantId,
    ])
    await removeUnused()
    expect(await left()).toContain(shown)
  })
})

describe('a picture that nothing ever showed', () => {
  it('goes after a day, with its row; one in use stays', async () => {
    const [unused, used, young] = [
      await sendBanner(network, network.tokens.merchant),
      await sendBanner(network, network.tokens.merchant),
      await sendBanner(network, network.tokens.merchant),
    ]
    await network.pool.query(
      `update pictures set uploaded_at = now() - interval '25 hours' where key <> $1`,
      [young],
    )
    await network.pool.query('update pictures set used_at = now() where key = $1', [used])
    await removeUnused()
    const isThere = (key: string) => fs.existsSync(path.join(network.pictureFolder, key))
    expect([unused, used, young].map(isThere)).toEqual([false, true, true])
    const { rows } = await network.pool.query('select key from pictures where key = any($1)', [
      [unused, used, young],
    ])
    expect(rows.map(({ key }) => key).toSorted()).toEqual([used, young].toSorted())
  })
})
