import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'

/** The address says what a screen shows: plain texts by name. */
export type AddressState = Record<string, string>

/** Reads a query string as plain texts. */
export const parseAddress = (query: string): AddressState => Object.fromEntries(new URLSearchParams(query))

/** Writes a query string; what is empty is left out, so that a screen without filters has the bare address. */
export function formatAddress(state: Record<string, unknown>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(state))
    if (value !== undefined && value !== null && value !== '') query.set(name, String(value))
  const text = query.toString()
  return text ? `?${text}` : ''
}

/** The address of the screen as state: pasted into a new tab it shows the same. */
export function useAddress(): [AddressState, (next: AddressState, how?: { replace: boolean }) => void] {
  const state = useSearch({ strict: false }) as AddressState
  const navigate = useNavigate()
  const setState = useCallback(
    (next: AddressState, { replace } = { replace: false }) =>
      void navigate({ to: '.', search: next as never, replace }),
    [navigate],
  )
  return [state, setState]
}
