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
  grantor: { tree: PermissionTree; held: ReadonlySet<number> }
  stored: readonly number[]
  /** What was stored when the grantor looked. */
  old: readonly number[]
  wanted: readonly number[]
}

export type GrantDecision =
  | { outcome: 'granted'; permissionIds: number[] }
  | { outcome: 'unknown'; ids: number[] }
  | { outcome: 'changedMeanwhile' | 'grantExceedsOwn' }

/** A button needs its page, which a tree of check boxes may leave unsaid. */
function withPages(tree: PermissionTree, ids: readonly number[]): Set<number> {
  const wanted = new Set(ids.filter((id) => !menuIds.has(id)))
  for (const page of permissionTree(tree, 'all').flatMap(({ children }) => children))
    if (page.children.some(({ id }) => wanted.has(id))) wanted.add(page.id)
  return wanted
}

/**
 * What is stored after a grant (decisions §2): of what the grantor may hand on, just what is wanted; what the other
 * holds beyond that stays untouched.
 */
export function decideGrant({ tree, grantor, stored, old, wanted }: Grant): GrantDecision {
  const known = new Set([...permissionIds(tree), ...menuIds, ...stored])
  const unknown = wanted.filter((id) => !known.has(id))
  if (unknown.length > 0) return { outcome: 'unknown', ids: unknown }
  const grantable = new Set(grantableIds(tree, grantor.tree, grantor.held))
  const before = new Set(stored)
  if (before.symmetricDifference(new Set(old)).intersection(grantable).size > 0)
    return { outcome: 'changedMeanwhile' }
  const after = withPages(tree, wanted)
  if (after.difference(before).difference(grantable).size > 0) return { outcome: 'grantExceedsOwn' }
  const granted = before.difference(grantable).union(after.intersection(grantable))
  return { outcome: 'granted', permissionIds: [...granted].toSorted((one, other) => one - other) }
}
