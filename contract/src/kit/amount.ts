const yuanText = /^(-?)(\d{1,10}|\d{1,3}(?:,\d{3}){1,3})(?:\.(\d{1,2}))?$/

/**
 * Cents of an amount typed in yuan, read as decimal text so that no cent is lost (decisions §1). A comma parts thousands
 * and nothing else: `2,50` is nobody's 250 yuan.
 * @returns undefined when the text is not an amount with at most two decimals.
 */
export function centsFromYuan(yuan: string): number | undefined {
  const match = yuanText.exec(yuan.trim())
  if (!match) return undefined
  const amountCents = Number(match[2]?.replaceAll(',', '')) * 100 + Number((match[3] ?? '').padEnd(2, '0'))
  return match[1] ? -amountCents : amountCents
}

/** `1234567` cents as `12,345.67`. */
export function yuanFromCents(amountCents: number): string {
  const digits = Math.abs(amountCents).toString().padStart(3, '0')
  const whole = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ',')
  return `${amountCents < 0 ? '-' : ''}${whole}.${digits.slice(-2)}`
}

/** `1234567` cents as `¥12,345.67`, `-¥0.50` for less than nothing. */
export function formatYuan(amountCents: number): string {
  const yuan = yuanFromCents(Math.abs(amountCents))
  return amountCents < 0 ? `-¥${yuan}` : `¥${yuan}`
}
