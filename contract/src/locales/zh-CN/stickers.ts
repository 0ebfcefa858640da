import type { stickers as english } from '../en/stickers.ts'
import type { Translated } from '../translated.ts'

export const stickers: Translated<typeof english> = {
  action: '二维码',
  title: '设备二维码',
  titleOfOne: '{deviceId} 的二维码',
  titleOfBatch: '{deviceId} 至 {lastDeviceId} 的二维码',
  explain: '一个压缩包，每台设备两个文件：PNG（300 dpi）和 SVG，可直接印刷；二维码指向支付页，下方为设备号。',
  devices: '{count} 台设备，{files} 个文件',
  picture: '{deviceId} 的二维码',
  download: '下载压缩包',
  downloadPng: 'PNG',
  downloadSvg: 'SVG',
  progress: '{done} / {total} 台',
  cancel: '取消',
  saved: '已保存 {name}：{count} 台设备（{size}）',
}
