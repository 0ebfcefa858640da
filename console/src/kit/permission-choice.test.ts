import { permissionIds, permissionTree } from '@chairside/contract'
import { describe, expect, it } from 'vitest'
import { chooseButton, choosePage, grantableIdsOf, grantOf, isHalf } from './permission-choice.ts'

const menus = permissionTree('merchant', new Set(permissionIds('merchant')))
const [orders] = menus[0]?.children ?? []
const [refund] = orders?.children ?? []
if (!orders || !refund) throw new Error('the merchant tree has no page of orders')

describe('a permission tree', () => {
  it('ticks a page with all its buttons, and clears them together', () => {
    const on = choosePage(new Set(), orders, true)
    expect([...on].toSorted()).toEqual([orders.id, ...orders.children.map(({ id }) => id)].toSorted())
    expect(choosePage(on, orders, false).size).toBe(0)
  })

  it('ticks the page of a button, and keeps it when the button is cleared', () => {
    const on = chooseButton(new Set(), orders, refund, true)
    expect([...on].toSorted()).toEqual([orders.id, refund.id].toSorted())
    expect(isHalf(on, orders)).toBe(true)
    expect([...chooseButton(on, orders, refund, false)]).toEqual([orders.id])
  })

  it('tells half-ticked pages apart from whole ones, and loses none', () => {
    const chosen = chooseButton(new Set(), orders, refund, true)
    const { roles, selectedRoles, halfSelectedRoles, oldRoles } = grantOf(menus, new Set([1]), chosen)
    expect(halfSelectedRoles).toEqual([orders.id])
    expect(selectedRoles).toEqual([refund.id])
    expect(new Set([...selectedRoles, ...halfSelectedRoles])).toEqual(new Set(roles))
    expect(oldRoles).toEqual([1])
  })

  it('holds pages and buttons, never menus', () => {
    const ids = grantableIdsOf(menus)
    expect(ids).toHaveLength(new Set(ids).size)
    for (const menu of menus) expect(ids).not.toContain(menu.id)
  })
})
