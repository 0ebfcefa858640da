import type { devices as english } from '../en/devices.ts'
import type { Translated } from '../translated.ts'

export const devices: Translated<typeof english> = {
  field: {
    deviceId: '设备号',
    name: '名称',
    model: '型号',
    merchantName: '商户',
    placeAddress: '场所',
    templateName: '商品模板',
    status: '状态',
    signals: '信号',
    associated: '绑定',
    locked: '锁定',
    fmVersion: '固件版本',
    lastSeenTime: '最后在线',
    statusSeconds: '持续秒数',
    reportTime: '开始时间',
    hostName: '网关',
  },
  status: { '1': 'WiFi 在线', '2': '离线', '3': '故障', '4': 'GPRS 在线' },
  associated: { '0': '未绑定', '1': '已绑定', '2': '不可售' },
  locked: { '0': '启用', '1': '停用', '2': '管理员锁定' },
  cannotSell: { noPlace: '未设置场所', noTemplate: '未设置商品模板', noPayChannel: '未设置支付渠道' },
}
