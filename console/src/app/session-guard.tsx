import { loginByToken } from '@chairside/contract'
import { useQuery } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { call } from '../kit/call.ts'
import { readToken, readUser, storeSession } from '../kit/session.ts'
import { UserContext } from '../kit/user.ts'
import { keepWantedAddress } from '../kit/wanted-address.ts'

/** Lets nobody in without a stored user, and brings the user up to date (automatic login, spec 1 §2). */
export function SessionGuard({ children }: { children: ReactNode }) {
  const stored = readUser()
  // Who logs out while it stands wants nothing.
  useState(() => {
    if (!stored) keepWantedAddress()
  })
  const session = useQuery({
    queryKey: ['session'],
    enabled: stored !== null,
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const user = await call(loginByToken, {}, signal)
      storeSession({ ...user, token: readToken() ?? user.token })
      return user
    },
  })
  if (!stored || !readToken()) return <Navigate to="/login" />
  return <UserContext value={session.data ?? stored}>{children}</UserContext>
}
