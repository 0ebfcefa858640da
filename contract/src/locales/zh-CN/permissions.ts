import type { permissions as english } from '../en/permissions.ts'

export const permissions: { [Level in keyof typeof english]: Record<keyof (typeof english)[Level], string> } =
  {
    menu: { orders: '订单', users: '用户', devices: '设备', reports: '报表' },
    page: {
      orders: '订单管理',
      agentorder: '订单管理',
      historyorder: '历史订单',
      refunds: '退款管理',
      merchants: '代理商与商户',
      myinformation: '基本信息',
      devices: '设备管理',
      reportorderday: '日收入报表',
    },
    button: {
      'order-refund': '退款',
      'order-start': '远程启动',
      'order-auditrefund': '退款审核',
      'order-endrefund': '结束失败退款',
      'users-addagent': '添加代理商',
      'users-addmerchant': '添加商户',
      'users-move': '移动代理商和商户',
      'users-statusmerchant': '锁定商户',
      'users-statusagent': '锁定代理商',
      'users-editmerchant': '编辑商户',
      'users-editagent': '编辑代理商',
      'users-permmerchant': '商户权限',
      'users-permagent': '代理商权限',
      'users-pwdmerchant': '重置商户密码',
      'users-pwdagent': '重置代理商密码',
      'users-log': '移动记录',
      'baseinfo-edit': '修改基本信息',
    },
  }
