import type { reports as english } from '../en/reports.ts'
import type { Translated } from '../translated.ts'

export const reports: Translated<typeof english> = {
  field: {
    reportDate: '日期',
    qrcodePayIncome: '扫码收入',
    qrcodePayCount: '扫码笔数',
    rechargeIncome: '充值收入',
    rechargeCount: '充值笔数',
    otherIncome: '其他收入',
    otherCount: '其他笔数',
    totalIncome: '总收入',
    totalCount: '总笔数',
    at: '入账时间',
    what: '类型',
    amount: '金额',
  },
  line: { payment: '收款', refund: '退款' },
}
