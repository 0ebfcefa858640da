import type { permissions as english } from '../en/permissions.ts'

export const permissions: { [Level in keyof typeof english]: Record<keyof (typeof english)[Level], string> } =
  {
    menu: { orders: '订单', devices: '设备', reports: '报表' },
    page: {
      orders: '订单管理',
      agentorder: '订单管理',
      historyorder: '历史订单',
      refunds: '退款管理',
      devices: '设备管理',
      reportorderday: '日收入报表',
    },
    button: {
      'order-refund': '退款',
      'order-start': '远程启动',
      'order-auditrefund': '退款审核',
      'order-endrefund': '结束失败退款',
    },
  }
