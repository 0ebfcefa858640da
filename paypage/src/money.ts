/** `500` cents as `¥5`, `550` as `¥5.50`. */
export function yuan(amountCents: number): string {
  const whole = Math.floor(amountCents / 100)
  const cents = amountCents % 100
  return cents === 0 ? `¥${whole}` : `¥${whole}.${String(cents).padStart(2, '0')}`
}
