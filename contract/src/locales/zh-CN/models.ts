import type { models as english } from '../en/models.ts'
import type { Translated } from '../translated.ts'

export const models: Translated<typeof english> = {
  field: {
    model: '型号',
    name: '名称',
    controlMode: '控制方式',
    pulseCycle: '脉冲周期（毫秒）',
    pulseDutyCycle: '占空时长（毫秒）',
    pulseDuration: '每脉冲分钟数',
    resetTime: '复位时间（秒）',
    controllable: '可控',
    lightTherapy: '光疗',
    sleepMode: '睡眠模式',
  },
  controlMode: { '1': '指令', '2': '脉冲', '3': '透传' },
  controlModeExplain: {
    '1': '通知主控板启动指定的分钟数。',
    '2': '主控板向按摩椅发送脉冲，每个脉冲对应下面的分钟数。',
    '3': '主控板把文本原样转交给按摩椅。',
  },
  resetExplain: '运行结束后按摩椅回到初始位置，在此时间内不出售、不启动。',
  flagsExplain: '可控的按摩椅可以由员工或顾客提前停止。带光疗的按摩椅运行时开启灯光。',
  flag: { true: '是', false: '否' },
  pulseOnly: '仅控制方式 2（脉冲）使用；切换到脉冲时生效。',
  pulses: '脉冲',
  add: '添加型号',
  addSubmit: '添加',
  edit: '编辑',
  editTitle: '编辑 {model}',
  editExplain: '该型号的按摩椅从下一次启动起使用新的设置。',
  save: '保存',
  added: '型号已添加',
  updated: '型号已修改',
}
