import {
  grantableIds,
  permissionIds,
  permissionMenus,
  permissionTree,
  type PermissionTree,
} from '@chairside/contract'

const menuIds = new Set<number>(permissionMenus.map(({ id }) => id))

/** What somebody asks to be granted to somebody else; ids of menus say nothing. */
export interface Grant {
  /** The tree it is granted from. */
  tree: PermissionTree
  /** What in that tree is for owners alone, when it is granted to a sub-account. */
  ownersOnly: readonly number[]
  grantor: { tree: PermissionTree; held: ReadonlySet<number> }
  stored: readonly number[]
  /** What was stored when the grantor looked. */
  old: readonly number[]
  wanted: readonly number[]
}

export type GrantDecision =
  | { outcome: 'granted'; permissionIds: number[] }
  | { outcome: 'unknown' | 'ownersOnly'; ids: number[] }
  | { outcome: 'changedMeanwhile' | 'grantExceedsOwn' }

const pagesOf = (tree: PermissionTree) => permissionTree(tree, 'all').flatMap(({ children }) => children)

/** A button needs its page, which a tree of check boxes may leave unsaid. */
function withPages(tree: PermissionTree, ids: ReadonlySet<number>): Set<number> {
  const wanted = new Set(ids)
  for (const page of pagesOf(tree)) if (page.children.some(({ id }) => ids.has(id))) wanted.add(page.id)
  return wanted
}

/** The buttons of pages that were taken: nobody can use them, and they are not to come back with the page. */
const behindTaken = (tree: PermissionTree, before: ReadonlySet<number>, after: ReadonlySet<number>) =>
  new Set(
    pagesOf(tree)
      .filter(({ id }) => before.has(id) && !after.has(id))
      .flatMap(({ children }) => children.map(({ id }) => id)),
  )

/**
 * What is stored after a grant (decisions §2): of what the grantor may grant, exactly what is wanted; what the other
 * holds beyond that stays untouched, unless its page is taken.
 */
export function decideGrant({ tree, ownersOnly, grantor, stored, old, wanted }: Grant): GrantDecision {
  const known = new Set([...permissionIds(tree), ...menuIds, ...stored])
  const unknown = wanted.filter((id) => !known.has(id))
  if (unknown.length > 0) return { outcome: 'unknown', ids: unknown }
  const before = new Set(stored)
  const useless = wanted.filter((id) => ownersOnly.includes(id) && !before.has(id))
  if (useless.length > 0) return { outcome: 'ownersOnly', ids: useless }
  const grantable = new Set(grantableIds(tree, grantor.tree, grantor.held)).difference(new Set(ownersOnly))
  if (before.symmetricDifference(new Set(old)).intersection(grantable).size > 0)
    return { outcome: 'changedMeanwhile' }
  const asked = new Set(wanted.filter((id) => !menuIds.has(id)))
  if (asked.difference(before).difference(grantable).size > 0) return { outcome: 'grantExceedsOwn' }
  // What the other holds beyond the grantor is ticked too, though not shown to him: it asks for no page.
  const given = withPages(tree, asked.intersection(grantable))
  const after = before.difference(grantable).union(given)
  const granted = after.difference(behindTaken(tree, before, after))
  return { outcome: 'granted', permissionIds: [...granted].toSorted((one, other) => one - other) }
}
