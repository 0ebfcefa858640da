import type { Envelope, SessionUser } from '@chairside/contract'
import type { DemoUser } from './open-screen.ts'
import { ownAddress } from './own-address.ts'

/** A call of the demo's server; throws the message of what is refused. */
export type DemoCall = <Data>(
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body?: Record<string, unknown>,
) => Promise<Data>

/** Calls beside the browser, as one of the demo's people. */
export async function callAs(url: string, user: Exclude<DemoUser, 'nobody'>): Promise<DemoCall> {
  const address = ownAddress()
  const request = async <Data>(method: string, path: string, body?: object, token = ''): Promise<Data> => {
    const answer = await fetch(url + path, {
      method,
      headers: {
        ...address,
        'content-type': 'application/json',
        ...(token ? { 'x-access-token': token } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const { success, message, data } = (await answer.json()) as Envelope<Data>
    if (!success) throw new Error(`${method} ${path}: ${message}`)
    return data
  }
  const account = { username: user, password: 'demo1234' }
  const { token } = await request<SessionUser>('POST', '/api/sessions/login', account)
  return (method, path, body) => request(method, path, body, token)
}
