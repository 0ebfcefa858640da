import { pictureLimits } from '@chairside/contract'
import type pg from 'pg'
import type { ObjectStore } from '../kit/object-store/object-store.ts'
import { drawBanner, type BannerScene } from './draw-banner.ts'

const dawn: BannerScene = {
  sky: ['#fbd9b0', '#f6efe2'],
  hills: ['#9cc4b4', '#4f9585', '#0e5a52'],
  light: '#e9963c',
  above: 'sun',
}
const noon: BannerScene = {
  sky: ['#8fc9ee', '#e6f3f4'],
  hills: ['#a9cfa0', '#5f9f68', '#2a6b4a'],
  light: '#f4c542',
  above: 'sun',
}
const dusk: BannerScene = {
  sky: ['#5b3b7a', '#e88c6a'],
  hills: ['#8a5a86', '#5a3a6b', '#2e2146'],
  light: '#ffd28a',
  above: 'sun',
}
const night: BannerScene = {
  sky: ['#0b1b38', '#32517c'],
  hills: ['#24406a', '#18304f', '#0c1c33'],
  light: '#f3e6b8',
  above: 'moon',
}
const festival: BannerScene = {
  sky: ['#8d1f1b', '#e2683c'],
  hills: ['#a8322a', '#7a1f1d', '#4a1214'],
  light: '#f7c65b',
  above: 'lanterns',
}

const dayMs = 86_400_000

/** The order of the demo's merchants: the one with a login first, then those below the demo's agent. */
const merchantsQuery = `
  select o.id from organisations o join accounts a on a.organisation_id = o.id and a.is_owner
   where o.kind = 'merchant' and o.status = 1
   order by a.user_name = 'merchant' desc,
            coalesce(o.path <@ (select p.path from organisations p join accounts b on b.organisation_id = p.id where b.user_name = 'agent'), false) desc, o.id
   limit 6`

/** Banners of the platform and of some merchants, some of them waiting for a review. */
export async function writeBanners(client: pg.ClientBase, store: ObjectStore, now: Date): Promise<void> {
  const { rows } = await client.query<{ id: string }>(merchantsQuery)
  const [merchant, second, third, fourth, fifth, sixth] = rows.map(({ id }) => Number(id))
  let pictures = 0
  const add = async (organisationId: number, scene: BannerScene, isUsed = true) => {
    const sentAt = new Date(now.getTime() - (20 - pictures) * dayMs)
    const key = `banner_${sentAt.getTime()}_demo${pictures++}.jpg`
    await store.put(key, await drawBanner(scene), 'image/jpeg')
    await client.query(
      `insert into pictures (key, purpose, organisation_id, width, height, uploaded_at, stored_at, used_at)
       values ($1, 'banner', $2, $3, $4, $5, $5, $6)`,
      [
        key,
        organisationId,
        pictureLimits.banner.width,
        pictureLimits.banner.height,
        sentAt,
        isUsed ? sentAt : null,
      ],
    )
    return key
  }
  const day = (offset: number) => new Date(now.getTime() + offset * dayMs).toISOString().slice(0, 10)
  const write = async (merchantId: number | undefined, banner: Record<string, unknown>) => {
    if (merchantId === undefined) return
    const names = Object.keys(banner)
    await client.query(
      `insert into banners (merchant_id, ${names.join(', ')})
       values ($1, ${names.map((_name, index) => `$${index + 2}`).join(', ')})
       on conflict (merchant_id) do update set ${names.map((name) => `${name} = excluded.${name}`).join(', ')}`,
      [merchantId, ...Object.values(banner)],
    )
  }
  await write(1, { enabled: true, banner_key: await add(1, dawn), sleep_prompt: '午休愉快，到点叫醒您' })
  if (merchant === undefined) return
  await write(merchant, {
    enabled: true,
    banner_key: await add(merchant, noon),
    link_url: 'https://example.com/members',
    time_limited: true,
    time_banner_key: await add(merchant, festival),
    time_start: day(20),
    time_end: day(27),
    success_text: '感谢使用，扫码成为会员更优惠 · Thank you!',
    success_url: 'https://example.com/members',
    allow_manage: true,
    sleep_prompt: '请将手机调至静音',
  })
  const evening = await add(second ?? 1, dusk)
  await write(second, { enabled: true, banner_key: evening, front_lang: 1 })
  await write(third, {
    pending_banner_key: await add(third ?? 1, night),
    pending_link_url: 'https://example.com/night',
  })
  await write(fourth, {
    enabled: true,
    banner_key: await add(fourth ?? 1, dawn),
    pending_sleep_prompt: '好梦，铃声会叫醒您',
  })
  await write(fifth, { enabled: false, front_lang: 2 })
  await write(sixth, { enabled: true, banner_key: await add(sixth ?? 1, night), allow_manage: true })
}
