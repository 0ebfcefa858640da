/**
 * What the form of an edit sent, with the fields that it says it left alone as they are now (docs/decisions/0291).
 * @param now the row as it is, locked, under the names of the call's fields
 */
export function keepUnchanged<Sent extends { unchanged?: readonly string[] | undefined }>(
  sent: Sent,
  now: Partial<Sent>,
): Sent {
  const left = new Set(sent.unchanged)
  return { ...sent, ...Object.fromEntries(Object.entries(now).filter(([name]) => left.has(name))) }
}
