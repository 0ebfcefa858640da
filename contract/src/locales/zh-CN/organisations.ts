import type { organisations as english } from '../en/organisations.ts'
import type { Translated } from '../translated.ts'

export const organisations: Translated<typeof english> = {
  field: {
    userId: '用户名',
    name: '名称',
    type: '类型',
    status: '状态',
    createTime: '创建时间',
    telephone: '电话',
    mobile: '手机',
    email: '邮箱',
    address: '地址',
    remark: '备注',
    mchId: '微信商户号',
    appId: '微信 AppID',
    accountId: '银行账号',
    accountName: '开户名',
    accountBank: '开户行',
    parentName: '上级',
    agents: '下级代理商',
    merchants: '下级商户',
    devices: '设备数',
  },
  type: { '0': '平台', '1': '代理商', '2': '商户' },
  status: { '1': '启用', '2': '锁定' },
  moveRecord: {
    name: '名称',
    createTime: '移动时间',
    createBy: '操作人',
    parent: '移动到',
    fromParent: '移动前上级',
  },
}
