import { loginByToken } from '@chairside/contract'
import { useQuery } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { useEffect, useState, type ReactNode } from 'react'
import { call } from '../kit/call.ts'
import { Loading } from '../kit/loading.tsx'
import { takeSessionOver } from '../kit/other-tabs.ts'
import { readToken, readUser, storeSession } from '../kit/session.ts'
import { UserContext } from '../kit/user.ts'
import { keepWantedAddress } from '../kit/wanted-address.ts'

/** Lets nobody in without a session: this tab's own, or one that another tab of the browser hands over. */
export function SessionGuard({ children }: { children: ReactNode }) {
  const [isKnown, setKnown] = useState(() => readUser() !== null)
  useEffect(() => {
    if (!isKnown) void takeSessionOver().then(() => setKnown(true))
  }, [isKnown])
  return isKnown ? <SignedIn>{children}</SignedIn> : <Loading />
}

/** Sends whoever has no session to the login, and brings the user up to date (automatic login, spec 1 §2). */
function SignedIn({ children }: { children: ReactNode }) {
  const stored = readUser()
  // Whoever logs out while it is shown wants nothing.
  useState(() => {
    if (!stored) keepWantedAddress()
  })
  const session = useQuery({
    queryKey: ['session'],
    enabled: stored !== null,
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const user = await call(loginByToken, {}, signal)
      const token = readToken()
      // Whoever has logged out meanwhile stays so.
      if (token) storeSession({ ...user, token })
      return user
    },
  })
  if (!stored || !readToken()) return <Navigate to="/login" replace />
  return <UserContext value={session.data ?? stored}>{children}</UserContext>
}
