import type { PermissionNode } from '@chairside/contract'
import { Checkbox } from 'antd'
import { useTextOf, useTexts } from './language.tsx'
import { chooseButton, choosePage, grantableIdsOf, isHalf } from './permission-choice.ts'
import { withAll, without } from './sets.ts'
import './permission-tree.css'

interface Props {
  menus: readonly PermissionNode[]
  chosen: ReadonlySet<number>
  onChange: (chosen: Set<number>) => void
}

/** Menus with their pages and buttons to tick, and all of them at once. */
export function PermissionTree({ menus, chosen, onChange }: Props) {
  const say = useTexts()
  const textOf = useTextOf()
  const all = grantableIdsOf(menus)
  const count = all.filter((id) => chosen.has(id)).length
  return (
    <div className="permission-tree">
      <Checkbox
        checked={count === all.length}
        indeterminate={count > 0 && count < all.length}
        onChange={({ target }) => onChange(target.checked ? withAll(chosen, all) : without(chosen, all))}
      >
        {say('console.permissions.all')}
      </Checkbox>
      {menus.map((menu) => (
        <fieldset key={menu.id}>
          <legend>{textOf(menu.description)}</legend>
          {menu.children.map((page) => (
            <div key={page.id} className="permission-page">
              <Checkbox
                checked={chosen.has(page.id) && !isHalf(chosen, page)}
                indeterminate={isHalf(chosen, page)}
                // A click on a half-ticked page clears it, as on a ticked one.
                onChange={() => onChange(choosePage(chosen, page, !chosen.has(page.id)))}
              >
                {textOf(page.description)}
              </Checkbox>
              {page.children.length > 0 && (
                <div className="permission-buttons">
                  {page.children.map((button) => (
                    <Checkbox
                      key={button.id}
                      checked={chosen.has(button.id)}
                      onChange={({ target }) => onChange(chooseButton(chosen, page, button, target.checked))}
                    >
                      {textOf(button.description)}
                    </Checkbox>
                  ))}
                </div>
              )}
            </div>
          ))}
        </fieldset>
      ))}
    </div>
  )
}
