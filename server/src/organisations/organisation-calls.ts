import type { Call } from '../kit/call.ts'
import { createOrganisationCalls } from './create-organisation.ts'
import { editOrganisationCalls } from './edit-organisation.ts'
import { lockOrganisationCalls } from './lock-organisation.ts'
import { moveCalls } from './move-organisations.ts'
import { organisationListCalls } from './organisation-list-api.ts'
import { ownProfileCalls } from './own-profile.ts'
import { revealMobileCalls } from './reveal-mobile.ts'
import { resetOwnerPasswordCalls } from './reset-owner-password.ts'
import { organisationSearchCalls } from './search-organisations.ts'

/** Agents and merchants: finding, listing, making, changing, locking and moving them, and one's own basic information. */
export const organisationCalls: Call[] = [
  ...organisationSearchCalls,
  ...organisationListCalls,
  ...createOrganisationCalls,
  ...editOrganisationCalls,
  ...lockOrganisationCalls,
  ...resetOwnerPasswordCalls,
  ...moveCalls,
  ...ownProfileCalls,
  ...revealMobileCalls,
]
