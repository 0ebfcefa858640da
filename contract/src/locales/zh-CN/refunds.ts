import type { refunds as english } from '../en/refunds.ts'
import type { Translated } from '../translated.ts'

export const refunds: Translated<typeof english> = {
  field: {
    orderId: '订单号',
    createTime: '申请时间',
    merchantName: '商户',
    deviceSid: '设备',
    price: '退款金额',
    phone: '手机号',
    status: '状态',
    content: '申请原因',
    reason: '失败或等待原因',
    auditResult: '审核结果',
    auditDecision: '审核结论',
    auditor: '审核人',
    auditTime: '审核时间',
    remark: '审核备注',
  },
  status: {
    '0': '退款失败',
    '1': '已退款',
    '2': '已拒绝',
    '3': '已线下退款',
    '4': '已手动结束',
    '5': '待审核',
    '6': '退款中',
  },
  auditDecision: { '0': '拒绝', '1': '同意', '2': '线下已退' },
  filter: { '1': '未审核', '2': '已审核', '3': '失败' },
}
