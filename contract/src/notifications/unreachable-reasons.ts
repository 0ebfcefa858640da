/** Why nobody took a message, as the server writes it; readers are told in their own words. */
export const unreachableReasons = [
  'the host is not found',
  'there is no connection',
  'the connection broke',
  'the certificate is not valid',
  'the address is private',
  'no answer in time',
  'no mail server is set',
] as const
export type UnreachableReason = (typeof unreachableReasons)[number]
