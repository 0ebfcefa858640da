import type { PermissionNode } from '@chairside/contract'
import { withAll, without } from './sets.ts'

/* What is ticked in a permission tree: ids of pages and buttons. A button comes with its page; menus hold nothing. */

/** Every id that a part of the tree grants. */
const idsOf = (nodes: readonly PermissionNode[]): number[] =>
  nodes.flatMap(({ id, children }) => [id, ...idsOf(children)])

/** Ids of all pages and buttons; menus hold nothing. */
export const grantableIdsOf = (menus: readonly PermissionNode[]): number[] =>
  menus.flatMap(({ children }) => idsOf(children))

/** Ticks or clears a page with all its buttons. */
export function choosePage(chosen: ReadonlySet<number>, page: PermissionNode, isOn: boolean): Set<number> {
  const ids = idsOf([page])
  return isOn ? withAll(chosen, ids) : without(chosen, ids)
}

/** Ticks a button, and its page with it, or clears the button alone. */
export function chooseButton(
  chosen: ReadonlySet<number>,
  page: PermissionNode,
  button: PermissionNode,
  isOn: boolean,
): Set<number> {
  return isOn ? withAll(chosen, [page.id, button.id]) : without(chosen, [button.id])
}

/** A page of which some buttons are not ticked. */
export const isHalf = (chosen: ReadonlySet<number>, page: PermissionNode): boolean =>
  chosen.has(page.id) && page.children.some(({ id }) => !chosen.has(id))

/** The fields of a change of permissions (spec 1 §7). */
export function grantOf(
  menus: readonly PermissionNode[],
  old: ReadonlySet<number>,
  chosen: ReadonlySet<number>,
) {
  const half = menus.flatMap(({ children }) =>
    children.filter((page) => isHalf(chosen, page)).map(({ id }) => id),
  )
  const halfSet = new Set(half)
  return {
    roles: [...chosen],
    oldRoles: [...old],
    selectedRoles: [...chosen].filter((id) => !halfSet.has(id)),
    halfSelectedRoles: half,
  }
}
