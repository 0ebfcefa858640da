import { userName } from '../kit/fields.ts'
import { orderActors } from '../orders/order-causes.ts'

const reserved: ReadonlySet<string> = new Set(orderActors)

/**
 * A new user name of an account. Orders say who did something to them by a user name, or by a word for who has no account:
 * somebody called "system" would sign as what happens by itself (docs/decisions/0340).
 */
export const newUserName = userName.refine((name) => !reserved.has(name.toLowerCase()), {
  error: 'userNameReserved',
})
