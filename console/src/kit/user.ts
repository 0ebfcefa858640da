import type { PermissionKey, SessionUser } from '@chairside/contract'
import { createContext, use } from 'react'

/** The user signed in, given by the session guard around every screen but the login. */
export const UserContext = createContext<SessionUser | null>(null)

/** Who is signed in. */
export function useUser(): SessionUser {
  const user = use(UserContext)
  if (!user) throw new Error('nobody is signed in here')
  return user
}

/** Whether the user holds a key; the server enforces it, a hidden button is a courtesy (decisions §2). */
export function useMay(): (key: PermissionKey) => boolean {
  const { permissions } = useUser()
  return (key) => permissions.includes(key)
}
