import { z } from 'zod'
import { jobKind } from '../kit/jobs.ts'

/*
 * What became of a command sent to a chair. Devices asks for these jobs in the transaction that records the fact;
 * the orders domain does them.
 */

/** The chair acknowledged a start or stop: it does it, or says why not. */
export const commandAcknowledged = jobKind(
  'devices.command-acknowledged',
  z.object({
    commandId: z.string(),
    orderId: z.string(),
    kind: z.enum(['start', 'stop']),
    accepted: z.boolean(),
    reason: z.string(),
    at: z.iso.datetime(),
  }),
)

/** The chair has run to the end of a start command, or was stopped; or its time is long over and it does not tell. */
export const chairEnded = jobKind(
  'devices.chair-ended',
  z.object({
    commandId: z.string(),
    orderId: z.string(),
    deliveredSeconds: z.int(),
    at: z.iso.datetime(),
    wasTold: z.boolean().default(true),
  }),
)

/** No acknowledgement within the time and the retries there are. The command is dead: the board refuses it by now. */
export const commandTimedOut = jobKind(
  'devices.command-timed-out',
  z.object({
    commandId: z.string(),
    orderId: z.string(),
    kind: z.enum(['start', 'stop']),
    at: z.iso.datetime(),
  }),
)
