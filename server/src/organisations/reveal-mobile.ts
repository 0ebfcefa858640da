import { revealMobile } from '@chairside/contract'
import { handle, type Call } from '../kit/call.ts'
import { findOrganisationsById, findProfile } from './organisations-sql.ts'

/** The whole mobile of who stands below the caller (decisions §1, "Private data"); the number itself stays out of the trail. */
export const revealMobileCalls: Call[] = [
  handle(revealMobile, async ({ db, scope, input, caller, refuse, audit }) => {
    // The key is that of the refunds' page too: whoever does not see whom the list shows gets no number of theirs.
    if (!caller().permissions.has('users.list')) return refuse('notFound')
    const [found] = await findOrganisationsById(db, scope, [input.id])
    if (!found || found.kind === 'platform') return refuse('notFound')
    audit({ target: found.name })
    const profile = await findProfile(db, scope, found.kind, found.id)
    return profile ? { mobile: profile.mobile } : refuse('notFound')
  }),
]
