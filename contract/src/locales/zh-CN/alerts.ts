import type { alerts as english } from '../en/alerts.ts'
import type { Translated } from '../translated.ts'

export const alerts: Translated<typeof english> = {
  field: {
    kind: '告警',
    devices: '当前设备数',
    mostDevices: '最多同时',
    placeDevices: '场所设备数',
    code: '故障码',
    times: '次数',
    beganTime: '开始时间',
    raisedTime: '告警时间',
    clearedTime: '解除时间',
    state: '状态',
    seenBy: '已阅人',
  },
  kind: { offline: '离线', trouble: '故障', weakSignal: '信号弱', quiet: '异常无销售' },
  state: { open: '未解除', cleared: '已解除', all: '全部' },
  trouble: {
    E01: '电机堵转',
    E02: '温度过高',
    E03: '气泵无压力',
    E04: '机芯位置丢失',
    E05: '供电不稳',
    E06: '控制面板无应答',
  },
}
