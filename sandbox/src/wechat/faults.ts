/** How the played WeChat misbehaves; everything off is a good day. */
export interface WechatFaults {
  /** No notices at all: only a query tells. */
  silentNotices: boolean
  /** Milliseconds a notice is late. */
  noticeDelayMs: number
  /** How often each notice is sent, whatever is answered. */
  noticeCopies: number
  /** Notices are signed by a stranger. */
  forgedNotices: boolean
  /** Notices tell another amount. */
  wrongAmount: boolean
  /** Every answer is lost after its work was done. */
  loseAnswers: boolean
  /** Every call answers 500 before any work. */
  systemError: boolean
  /** Answers are altered after signing. */
  forgedAnswers: boolean
  /** Refunds stay under way until told otherwise. */
  holdRefunds: boolean
  /** Refunds are refused with this code. */
  refuseRefunds: string
  /** Refunds end so. */
  refundEnd: 'SUCCESS' | 'CLOSED' | 'ABNORMAL'
}

export const goodDay = (): WechatFaults => ({
  silentNotices: false,
  noticeDelayMs: 0,
  noticeCopies: 1,
  forgedNotices: false,
  wrongAmount: false,
  loseAnswers: false,
  systemError: false,
  forgedAnswers: false,
  holdRefunds: false,
  refuseRefunds: '',
  refundEnd: 'SUCCESS',
})
