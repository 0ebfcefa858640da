import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { filter, flag, idList, instant, recordId } from '../kit/fields.ts'

/**
 * Moves agents and merchants with all below them (spec 1 §§4, 5). `highestLevel` puts agents right below the platform,
 * as `parentId=1` does.
 */
export const moveOrganisations = endpoint({
  verb: 'PUT',
  also: ['POST'],
  path: '/api/merchant/move',
  summary: 'Moves agents and merchants below another agent',
  needs: 'users.move',
  audit: 'users.move',
  input: z.object({ merchantIds: filter(idList), parentId: filter(recordId), highestLevel: filter(flag) }),
  data: z.object({
    /** Those that were elsewhere before. */
    moved: z.int(),
  }),
  refuses: [
    'nothingSelected',
    'noMoveTarget',
    'onlyAgentsToTop',
    'moveBelowItself',
    'onlyBelowAgents',
    'notFound',
    'notPossible',
  ],
})

/** What a move would take along, everything counted once. */
export const previewMove = endpoint({
  verb: 'GET',
  path: '/api/merchant/move/preview',
  summary: 'Counts what a move takes along',
  needs: 'users.move',
  input: z.object({ merchantIds: filter(idList) }),
  data: z.object({
    /** Agents below the chosen ones. */
    subAgents: z.int(),
    /** Agents that were chosen themselves. */
    agents: z.int(),
    /** Merchants, chosen or below a chosen agent. */
    merchants: z.int(),
    devices: z.int(),
  }),
  refuses: ['nothingSelected', 'notFound', 'notPossible'],
})

/** Spec 1 §3, "Move record". What the caller may not see is empty. */
export const MoveRecord = z.object({
  name: z.string(),
  createTime: instant,
  createBy: z.string(),
  /** Name of the agent it was moved to. */
  parent: z.string(),
  /** Name of the agent it was moved from. */
  fromParent: z.string(),
})
export type MoveRecord = z.output<typeof MoveRecord>

export const listMoves = endpoint({
  verb: 'GET',
  path: '/api/merchant/move',
  summary: 'Moves of an agent or merchant, newest first',
  needs: 'users.log',
  input: z.object({ id: recordId }),
  data: z.array(MoveRecord),
  refuses: ['notFound'],
})

export const moveCalls = { moveOrganisations, previewMove, listMoves }
