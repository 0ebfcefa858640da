import { hash, verify } from '@node-rs/argon2'

/** OWASP's first choice for argon2id; some 20 ms a check here. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export const hashPassword = (password: string): Promise<string> => hash(password, cost)

export const checkPassword = (passwordHash: string, password: string): Promise<boolean> =>
  verify(passwordHash, password)

let decoy: Promise<string> | undefined

/** Takes as long as a real check, so that an unknown name cannot be told from a wrong password by the clock. */
export async function checkPasswordOfNobody(password: string): Promise<false> {
  decoy ??= hashPassword('nobody has this password')
  await checkPassword(await decoy, password)
  return false
}
