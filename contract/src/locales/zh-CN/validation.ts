import type { validation as english } from '../en/validation.ts'

export const validation: Record<keyof typeof english, string> = {
  required: '必填',
  tooShort: '至少 {min} 个字符',
  tooLong: '最多 {max} 个字符',
  tooSmall: '不能小于 {min}',
  tooBig: '不能大于 {max}',
  notANumber: '不是数字',
  notAnInteger: '不是整数',
  notADate: '日期格式应为 YYYY-MM-DD',
  notAMonth: '月份格式应为 YYYY-MM',
  notAChoice: '只能是：{choices}',
  notABoolean: '只能是 true 或 false',
  wrongForm: '格式不正确',
  orderId: '不是有效的订单号',
  deviceId: '不是有效的设备号',
  givenTwice: '重复给出且值不同',
  startAfterEnd: '开始日期晚于结束日期',
  customPeriodNeedsDates: '请选择开始和结束日期',
  periodTooLong: '最多 {max} 天',
  notThisYear: '日期不在所选年份内',
  mustMatch: '必须与{other}一致',
}
