import type { sheet as english } from '../en/sheet.ts'
import type { Translated } from '../translated.ts'

export const sheet: Translated<typeof english> = { total: '合计', rows: '共 {count} 行', yes: '是', no: '否' }
