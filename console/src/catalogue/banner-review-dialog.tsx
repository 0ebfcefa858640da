import { pictureUrl, reviewBanner, type BannerRow } from '@chairside/contract'
import { App, Button, Modal } from 'antd'
import { useChange } from '../kit/call.ts'
import { useConfirm } from '../kit/confirm.ts'
import { Facts } from '../kit/facts.tsx'
import { useTexts } from '../kit/language.tsx'
import { useAboveThePage } from '../kit/above-the-page.ts'
import { useBannerName } from './banner-name.ts'

/** What a merchant proposes beside what there is now, to be accepted or rejected as it was seen here (spec 2 §4). */
export function BannerReviewDialog({ row, onClose }: { row: BannerRow; onClose: () => void }) {
  const say = useTexts()
  useAboveThePage(onClose)
  const confirm = useConfirm()
  const { message } = App.useApp()
  const review = useChange(reviewBanner)
  const nameOf = useBannerName()
  const name = nameOf(row)
  const decide = async (does: 'accept' | 'reject') => {
    const isDone = await confirm({
      title: say(`banners.review.${does}Title`, { name }),
      explain: say(`banners.review.${does}Explain`),
      doText: say(`banners.review.${does}`),
      danger: does === 'reject',
      act: () =>
        review.mutateAsync({
          merchantid: row.merchantId,
          option: does === 'accept' ? '1' : '0',
          newbannerkey: row.newBannerkey,
          newurl: row.newUrl,
          newsleepprompt: row.newSleepPrompt,
        }),
    })
    if (!isDone) return
    void message.success(say(does === 'accept' ? 'banners.review.accepted' : 'banners.review.rejected'))
    onClose()
  }
  // Only what is proposed is compared; the rest stays as it is.
  const side = (title: string, key: string, url: string, prompt: string) => (
    <section aria-label={title}>
      <h2>{title}</h2>
      {row.newBannerkey !== '' && key !== '' && (
        <img className="banner-reviewed" src={pictureUrl(key)} alt={title} />
      )}
      <Facts
        facts={[
          ...(row.newBannerkey === '' ? [] : [[say('banners.field.url'), url] as const]),
          ...(row.newSleepPrompt === '' ? [] : [[say('banners.field.sleepPrompt'), prompt] as const]),
        ]}
      />
    </section>
  )
  return (
    <Modal
      open
      title={say('banners.form.reviewTitle', { name })}
      width={760}
      onCancel={onClose}
      closable={{ 'aria-label': say('console.form.close') }}
      footer={
        <div className="dialog-actions">
          <Button onClick={onClose}>{say('console.form.cancel')}</Button>
          <Button danger onClick={() => void decide('reject')}>
            {say('banners.review.reject')}
          </Button>
          <Button type="primary" onClick={() => void decide('accept')}>
            {say('banners.review.accept')}
          </Button>
        </div>
      }
    >
      <div className="banner-sides">
        {side(say('banners.review.now'), row.bannerkey, row.url, row.sleepPrompt)}
        {side(say('banners.review.proposed'), row.newBannerkey, row.newUrl, row.newSleepPrompt)}
      </div>
    </Modal>
  )
}
