import { platformId, type BannerRow } from '@chairside/contract'
import { useTexts } from '../kit/language.tsx'

/** What a banner is called: by its merchant, or as the default one. */
export function useBannerName(): (row: Pick<BannerRow, 'merchantId' | 'merchantName'>) => string {
  const say = useTexts()
  return ({ merchantId, merchantName }) =>
    merchantId === platformId ? say('banners.list.defaultBanner') : merchantName
}
