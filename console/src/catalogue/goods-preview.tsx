import {
  centsFromYuan,
  goodsLimits,
  listGoods,
  pictureUrl,
  workModes,
  type DataOf,
  type Goods,
  type showPayPage,
} from '@chairside/contract'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useReadOnce } from '../kit/call.ts'
import { formatDateTime } from '../kit/formats.ts'
import { useLanguage, useTexts } from '../kit/language.tsx'
import { useUser } from '../kit/user.ts'
import type { TypedGoods } from './goods-fields.tsx'

type PayPage = DataOf<typeof showPayPage>
type PayPageGoods = PayPage['goods'][number]

const previewAddress = '/pay-preview'

const today = () => formatDateTime(new Date().toISOString()).slice(0, 10)

/** A limit without its days is not yet one; until then it is as it was saved. */
function readableLimit(goods: Goods, typed: TypedGoods): Pick<Goods, 'timeLimit' | 'timeStart' | 'timeEnd'> {
  const { timeLimit, timeStart, timeEnd } = typed
  const isReadable = !timeLimit || (timeStart !== '' && timeStart <= timeEnd)
  return isReadable ? { timeLimit, timeStart, timeEnd } : goods
}

/** Goods as far as what is typed can be read; what cannot is as it was saved. */
function readable(goods: Goods, typed: TypedGoods): Goods {
  const whole = (text: string, before: number) => (/^-?\d{1,7}$/.test(text.trim()) ? Number(text) : before)
  const price = centsFromYuan(typed.price)
  const duration = whole(typed.duration, goods.duration)
  const limit = readableLimit(goods, typed)
  return {
    ...goods,
    name: typed.name.trim() || goods.name,
    nameEn: typed.nameEn.trim(),
    price: price === undefined || price < 0 ? goods.price : price,
    duration: duration > 0 && duration <= goodsLimits.durationMinutes ? duration : goods.duration,
    queue: whole(typed.queue, goods.queue),
    instock: whole(typed.instock, goods.instock),
    freeFirst: typed.freeFirst,
    memberOnly: typed.memberOnly,
    timeLimit: limit.timeLimit,
    timeStart: limit.timeStart,
    timeEnd: limit.timeEnd,
    portrait: typed.portrait,
  }
}

const isOffered = ({ timeLimit, timeStart, timeEnd }: Goods, day: string) =>
  !timeLimit || (timeStart <= day && day <= timeEnd)

const shownOf = ({ price, duration, portrait, ...goods }: Goods): PayPageGoods => ({
  id: goods.id,
  name: goods.name,
  nameEn: goods.nameEn,
  priceCents: price,
  durationMinutes: duration,
  instock: goods.instock,
  freeFirst: goods.freeFirst,
  memberOnly: goods.memberOnly,
  workMode: goods.workMode,
  picture: pictureUrl(portrait),
})

/** The pay page of a chair that sells the template, with the goods as they are being typed. */
export function GoodsPreview({ goods, typed }: { goods: Goods; typed: TypedGoods }) {
  const say = useTexts()
  const { merchantName } = useUser()
  const read = useReadOnce(listGoods, { templateid: goods.templateid, pagesize: 0 })
  const day = today()
  const changed = readable(goods, typed)
  const page = useMemo((): PayPage => {
    const others = (read.data?.list ?? []).filter(({ id }) => id !== goods.id)
    const offered = [...others, readable(goods, typed)].filter((one) => isOffered(one, day))
    return {
      ...emptyPage,
      merchantName,
      placeAddress: say('catalogue.place.field.address'),
      deviceName: say('devices.field.name'),
      goods: offered.toSorted((a, b) => b.queue - a.queue || a.id - b.id).map(shownOf),
    }
  }, [read.data, goods, typed, day, merchantName, say])
  return (
    <aside className="panel goods-preview" aria-label={say('catalogue.goods.preview')}>
      <h2>{say('catalogue.goods.preview')}</h2>
      <p className="hint">{say('catalogue.goods.previewHint')}</p>
      {!isOffered(changed, day) && (
        <p className="hint" role="status">
          {say('catalogue.goods.previewAway', { day, start: changed.timeStart, end: changed.timeEnd })}
        </p>
      )}
      {goods.workMode === Number(workModes.sleep) && (
        <p className="hint">{say('catalogue.goods.previewSleep')}</p>
      )}
      <PayPageFrame page={page} title={say('catalogue.goods.preview')} />
    </aside>
  )
}

/** The real pay page in a frame, which says when it is ready and is sent what to show, again with each change. */
function PayPageFrame({ page, title }: { page: PayPage; title: string }) {
  const { language } = useLanguage()
  const frame = useRef<HTMLIFrameElement>(null)
  const [isReady, setReady] = useState(false)
  useEffect(() => {
    const hear = ({ source, data }: MessageEvent) => {
      if (source === frame.current?.contentWindow && data === 'ready') setReady(true)
    }
    addEventListener('message', hear)
    return () => removeEventListener('message', hear)
  }, [])
  useEffect(() => {
    // In its sandbox the frame is of no origin that could be named.
    if (isReady) frame.current?.contentWindow?.postMessage({ page, language }, '*')
  }, [isReady, page, language])
  return <iframe ref={frame} src={previewAddress} title={title} sandbox="allow-scripts" />
}

const emptyPage: PayPage = {
  deviceId: '',
  deviceName: '',
  state: 'ready',
  merchantName: '',
  placeAddress: '',
  servicePhone: '',
  opensAt: '',
  sellsFrom: '',
  frontLang: 3,
  bannerPicture: '',
  bannerUrl: '',
  bannerStyle: {},
  successText: '',
  successUrl: '',
  sleepPrompt: '',
  goods: [],
  order: null,
  pay: null,
  wechatSignInUrl: '',
}
