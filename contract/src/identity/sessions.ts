import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { filter, flag, instant, oneTimeCode, text } from '../kit/fields.ts'
import type { PermissionNode } from '../permission-trees.ts'
import { HiddenColumns } from './list-columns.ts'

/** Shortest password accepted (spec 1 §9). */
export const passwordMinLength = 6

const UserTypeField = z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3), z.literal(4)])

/** The session user (spec 1 §3); `permissions` are the keys held. */
export const SessionUser = z.object({
  id: z.int(),
  userName: z.string(),
  realName: z.string(),
  avatar: z.string(),
  /** The sign-in before the latest one. */
  lastLogin: instant.nullable(),
  type: UserTypeField,
  /** Organisation the user belongs to; the platform is 1. */
  merchantId: z.int(),
  merchantName: z.string(),
  merchantUserID: z.string(),
  twoStepEnabled: z.boolean(),
  /** Two-step is required and not activated yet. */
  needTwoStep: z.boolean(),
  /** Until the first password is changed, only that, the menu and logging out are possible. */
  mustChangePassword: z.boolean(),
  permissions: z.array(z.string()),
  /** Columns that the user does not want to see, by list (`chooseColumns`). */
  hiddenColumns: HiddenColumns,
  token: z.string(),
})
export type SessionUser = z.output<typeof SessionUser>

export const PermissionNodeSchema: z.ZodType<PermissionNode> = z
  .lazy(() =>
    z.object({
      id: z.int(),
      description: z.string(),
      url: z.string(),
      icon: z.string(),
      hidden: z.boolean(),
      leaf: z.boolean(),
      tag: z.string(),
      children: z.array(PermissionNodeSchema),
    }),
  )
  .meta({ id: 'PermissionNode' })

/** Spec 1 §7, "Session". */
export const login = endpoint({
  verb: 'POST',
  path: '/api/sessions/login',
  summary: 'Signs in with user name and password',
  open: 'nobody is signed in yet',
  audit: 'session.login',
  perMinute: 60,
  input: z.object({
    username: text(50),
    password: z.string().min(passwordMinLength).max(200),
    otp: filter(oneTimeCode),
    /** Set by a sign-in page opened with the query parameter `agent` (spec 1 §2). */
    agent: filter(flag),
  }),
  data: SessionUser,
  refuses: [
    'wrongCredentials',
    'wrongCode',
    'accountLocked',
    'twoStepNeeded',
    'onlyAgents',
    'tooManyAttempts',
  ],
})

export const loginByToken = endpoint({
  verb: 'POST',
  path: '/api/sessions/login/nopass',
  summary: 'Signs in again with a stored token',
  needs: 'signedIn',
  beforePasswordChange: true,
  input: z.object({}),
  data: SessionUser,
  refuses: [],
})

export const logout = endpoint({
  verb: 'POST',
  path: '/api/sessions/logout',
  summary: 'Ends the session of the token',
  needs: 'signedIn',
  beforePasswordChange: true,
  audit: 'session.logout',
  input: z.object({}),
  data: z.null(),
  refuses: [],
})

export const getPermissions = endpoint({
  verb: 'GET',
  path: '/api/sessions/permissions',
  summary: 'The menu tree of the signed-in user',
  needs: 'signedIn',
  beforePasswordChange: true,
  input: z.object({}),
  data: z.array(PermissionNodeSchema),
  refuses: [],
})

const Password = z.string().min(passwordMinLength).max(200)

/** Changes one's own password and ends one's other sessions (spec 1 §§5, 7). */
export const changePassword = endpoint({
  verb: 'POST',
  path: '/api/sessions/passwordchange',
  summary: 'Changes the password of the signed-in user',
  needs: 'signedIn',
  beforePasswordChange: true,
  audit: 'session.passwordchange',
  perMinute: 60,
  input: z.object({
    oldPassword: z.string().min(1).max(200),
    newPassword: Password,
    newPasswordAgain: z.string().min(1).max(200),
  }),
  data: z.object({ endedSessions: z.int() }),
  refuses: ['wrongPassword', 'tooManyAttempts'],
})

export const sessionCalls = { login, loginByToken, logout, getPermissions, changePassword }
