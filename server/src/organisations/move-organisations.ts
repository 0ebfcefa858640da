import { listMoves, moveOrganisations, platformId, previewMove } from '@chairside/contract'
import { handle, type Call, type CallContext } from '../kit/call.ts'
import { countBelow, findMoves, lockTree, moveBelow } from './moves-sql.ts'
import { findOrganisationsById, type OrganisationFound } from './organisations-sql.ts'

type Context = CallContext<typeof moveOrganisations> | CallContext<typeof previewMove>

/** What the caller chose; all of it has to stand below the caller. */
async function findChosen({ db, scope, input, caller, refuse }: Context): Promise<OrganisationFound[]> {
  const ids = [...new Set(input.merchantIds)]
  if (ids.length === 0) return refuse('nothingSelected')
  const chosen = await findOrganisationsById(db, scope, ids)
  if (chosen.length < ids.length) return refuse('notFound')
  if (chosen.some(({ id, kind }) => id === caller().organisationId || kind === 'platform'))
    return refuse('notPossible')
  return chosen
}

/** Names told as what was moved; of more, the first of them. */
const mostNamed = 20

function namesOf(chosen: readonly OrganisationFound[]): string {
  const names = chosen
    .slice(0, mostNamed)
    .map(({ name }) => name)
    .join(', ')
  return chosen.length > mostNamed ? `${names} … (${chosen.length})` : names
}

const standsAtOrBelow = (one: OrganisationFound, other: OrganisationFound) =>
  one.path === other.path || one.path.startsWith(`${other.path}.`)

/** Moves agents and merchants (spec 1 §§4, 5, decisions §2). All is looked up after the tree is locked, so it still holds. */
async function move(context: CallContext<typeof moveOrganisations>) {
  const { db, scope, input, caller, refuse, audit } = context
  const targetId = input.highestLevel ? platformId : input.parentId
  audit({ target: `${input.merchantIds?.join(', ') ?? ''} → ${targetId ?? ''}` })
  await lockTree(db)
  const chosen = await findChosen(context)
  if (targetId === undefined) return refuse('noMoveTarget')
  if (targetId === platformId && chosen.some(({ kind }) => kind === 'merchant'))
    return refuse('onlyAgentsToTop')
  const [target] = await findOrganisationsById(db, scope, [targetId])
  if (!target) return refuse('notFound')
  audit({ target: `${namesOf(chosen)} → ${target.name}` })
  if (target.kind === 'merchant') return refuse('onlyBelowAgents')
  if (chosen.some((one) => standsAtOrBelow(target, one))) return refuse('moveBelowItself')
  const toMove = chosen.filter(({ parentId }) => parentId !== targetId)
  const parents = await findOrganisationsById(
    db,
    scope,
    toMove.flatMap(({ parentId }) => parentId ?? []),
  )
  const nameOfParent = new Map(parents.map(({ id, name }) => [id as number | null, name]))
  await moveBelow(
    db,
    toMove.map(({ id }) => id),
    targetId,
    caller(),
  )
  audit({
    before: toMove.map(({ id, name, parentId }) => ({
      id,
      name,
      parentId,
      parentName: nameOfParent.get(parentId),
    })),
    after: toMove.map(({ id, name }) => ({ id, name, parentId: targetId, parentName: target.name })),
  })
  return { moved: toMove.length }
}

export const moveCalls: Call[] = [
  handle(moveOrganisations, move),
  handle(previewMove, async (context) => {
    const chosen = await findChosen(context)
    return countBelow(
      context.db,
      chosen.map(({ id }) => id),
    )
  }),
  handle(listMoves, async ({ db, scope, input, refuse }) => {
    const [found] = await findOrganisationsById(db, scope, [input.id])
    return found ? findMoves(db, scope, found.id) : refuse('notFound')
  }),
]
