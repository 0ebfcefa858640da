import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { oneTimeCode, userName } from '../kit/fields.ts'

/** A secret waits this long for the first code of the authenticator it was put into. */
export const secretWaitsMinutes = 10

/**
 * Offers a secret for an authenticator (spec 1 §7). Nothing changes yet: the earlier authenticator stays valid until a
 * code of the new one has come (decisions §2).
 */
export const getTwoStepSecret = endpoint({
  verb: 'GET',
  path: '/api/sessions/secret',
  summary: 'A new secret for an authenticator, and the uuid of its QR image',
  needs: 'signedIn',
  perMinute: 30,
  input: z.object({}),
  data: z.object({ uuid: z.uuid(), secret: z.string() }),
  refuses: [],
})

export const getTwoStepImage = endpoint({
  verb: 'GET',
  path: '/api/sessions/secret/image/:uuid',
  summary: 'The QR image of a secret of the signed-in user',
  needs: 'signedIn',
  perMinute: 60,
  input: z.object({ uuid: z.uuid() }),
  file: 'image/png',
  data: z.custom<Uint8Array>(),
  refuses: ['notFound'],
})

export const activateTwoStep = endpoint({
  verb: 'POST',
  path: '/api/sessions/twostep/:otp',
  summary: 'Activates two-step with the first code of the authenticator',
  needs: 'signedIn',
  audit: 'session.twostep',
  perMinute: 30,
  input: z.object({ otp: oneTimeCode }),
  data: z.object({ twoStepEnabled: z.boolean() }),
  refuses: ['wrongCode', 'secretExpired'],
})

/**
 * For a user who lost the authenticator (decisions §2): signing in takes the password alone again. Admins and agents reach
 * whoever they see, a merchant its own sub-accounts.
 */
export const resetTwoStep = endpoint({
  verb: 'POST',
  path: '/api/admin/users/twostepreset/:userName',
  summary: 'Takes the authenticator from a user and ends its sessions',
  needs: 'users.twostepreset',
  audit: 'users.twostepreset',
  input: z.object({ userName }),
  data: z.null(),
  refuses: ['notFound', 'twoStepNotActive', 'notYourself', 'holdsMoreThanYou'],
})

export const twoStepCalls = { getTwoStepSecret, getTwoStepImage, activateTwoStep, resetTwoStep }
