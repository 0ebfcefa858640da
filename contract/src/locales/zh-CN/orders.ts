import type { orders as english } from '../en/orders.ts'
import type { Translated } from '../translated.ts'

export const orders: Translated<typeof english> = {
  field: {
    orderId: '订单号',
    orderTime: '下单时间',
    merchantName: '商户',
    merchantUserId: '商户用户名',
    deviceSid: '设备',
    goodsName: '商品',
    address: '场所',
    duration: '时长（分钟）',
    orderFee: '订单金额',
    actualFee: '实收金额',
    finished: '使用结束',
    status: '状态',
    payChannel: '支付方式',
    payId: '交易号',
    channelAccount: '收款账号',
  },
  status: {
    '1': '未支付',
    '2': '已关闭',
    '3': '已支付',
    '4': '运行中',
    '5': '申请退款',
    '6': '退款被拒',
    '7': '退款中',
    '8': '已退款',
    '9': '退款失败',
  },
  finished: { true: '是', false: '否' },
  payChannel: {
    wechatPay: '微信支付',
    wechatServerPay: '微信支付（服务商）',
    aliPay: '支付宝',
    custAccount: '会员余额',
    manualStart: '手动启动',
    externalStart: '外部启动',
    ccbPay: '建行支付',
    unionPay: '银联支付',
  },
}
