import { listBanners } from '@chairside/contract'
import { handleList, type Call, type CallContext } from '../kit/call.ts'
import { bannerRow, findBanners, streamBanners, type BannerFilter } from './banners-sql.ts'

type Context = CallContext<typeof listBanners>

const filterOf = ({ input }: Context): BannerFilter => ({
  merchantId: input.merchantid,
  pending: input.pending,
})

/** The list of banners (spec 2 §2). */
export const bannerListCall: Call = handleList(listBanners, {
  page: async (context) => {
    const { pagesize: take, pagenum } = context.input
    const page = { skip: (pagenum - 1) * take, take }
    const { list, total } = await findBanners(context.db, context.scope, filterOf(context), page)
    return { list: list.map(bannerRow), total }
  },
  rows: async function* (context) {
    for await (const banners of streamBanners(context.db, context.scope, filterOf(context)))
      yield banners.map(bannerRow)
  },
})
