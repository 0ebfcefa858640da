import type { PermissionKey, UserType } from '@chairside/contract'
import type { Scope } from './scope.ts'

/** Who did something, as far as the audit trail keeps it. */
export type Actor = Pick<Principal, 'accountId' | 'userName' | 'organisationId'>

/** Who calls, as it stands at this moment in the database. */
export interface Principal {
  accountId: number
  userName: string
  realName: string
  type: UserType
  organisationId: number
  organisationName: string
  /** User name of the organisation's owner. */
  ownerUserName: string
  permissionIds: ReadonlySet<number>
  permissions: ReadonlySet<PermissionKey>
  mustChangePassword: boolean
  twoStepEnabled: boolean
  twoStepRequired: boolean
  /** The sign-in before the latest one. */
  previousLoginAt: Date | null
  scope: Scope
}
