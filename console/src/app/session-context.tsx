import { loginByToken, type PermissionKey, type SessionUser } from '@chairside/contract'
import { useQuery } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { createContext, use, type ReactNode } from 'react'
import { call } from '../kit/call.ts'
import { readToken, readUser, storeSession } from '../kit/session.ts'

const UserContext = createContext<SessionUser | null>(null)

/** Who is signed in, on every screen but the login. */
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

/** Lets nobody in without a stored user, and brings the user up to date (automatic login, spec 1 §2). */
export function SessionGuard({ children }: { children: ReactNode }) {
  const stored = readUser()
  const session = useQuery({
    queryKey: ['session'],
    enabled: stored !== null,
    staleTime: 60_000,
    queryFn: async () => {
      const user = await call(loginByToken, {})
      storeSession({ ...user, token: readToken() ?? user.token })
      return user
    },
  })
  if (!stored || !readToken()) return <Navigate to="/login" />
  return <UserContext value={session.data ?? stored}>{children}</UserContext>
}
