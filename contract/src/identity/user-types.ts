/** User type of a session (spec 1 §6). */
export const userTypes = { admin: 0, agent: 1, merchant: 2, subAgent: 3, subMerchant: 4 } as const
export type UserType = (typeof userTypes)[keyof typeof userTypes]

/** Types whose `merchantid` is always their own (spec 1 §6, "merchant mode"). */
export const isMerchantMode = (type: UserType) =>
  type === userTypes.merchant || type === userTypes.subMerchant
/** Types that see an agent's subtree. */
export const isAgentMode = (type: UserType) => type === userTypes.agent || type === userTypes.subAgent
/** Types that belong to the account of somebody else. */
export const isSubordinate = (type: UserType) => type === userTypes.subAgent || type === userTypes.subMerchant
