import {
  getPermissionsOfUser,
  type Endpoint,
  type getMerchantPermissionTree,
  type grantToMerchant,
  type PermissionNode,
} from '@chairside/contract'
import { App, Button, Modal } from 'antd'
import { useState } from 'react'
import { useChange, useRead, useReadOnce } from './call.ts'
import { useTexts } from './language.tsx'
import { grantOf } from './permission-choice.ts'
import { PermissionTree } from './permission-tree.tsx'
import { ReadState } from './read-state.tsx'
import { useAboveThePage } from './above-the-page.ts'
import { useUnsavedWork } from './unsaved-work.ts'
import { differenceOf } from './sets.ts'

interface Props {
  /** The organisation or account as the granting call names it. */
  id: number
  /** User name of the account whose permissions these are. */
  userId: string
  /** Answers the tree to grant from; all of these calls answer the same. */
  tree: Endpoint
  /** Grants; all of these calls take the same. */
  grant: Endpoint
  onClose: () => void
}

/** The permissions of somebody, to be ticked in the tree that one may grant from (spec 1 §§5, 6). */
export function PermissionDialog({ id, userId, tree, grant, onClose }: Props) {
  const say = useTexts()
  const { message } = App.useApp()
  const menus = useRead(tree as unknown as typeof getMerchantPermissionTree, {})
  // What is ticked began here: whatever somebody else grants meanwhile makes the server refuse (decision 0060).
  const held = useReadOnce(getPermissionsOfUser, { userId })
  const change = useChange(grant as unknown as typeof grantToMerchant)
  const [changed, setChanged] = useState<ReadonlySet<number> | null>(null)
  const old = new Set(held.data?.map(({ permissionId }) => permissionId))
  const chosen = changed ?? old
  const { mayLeave } = useUnsavedWork(differenceOf(chosen, old))
  const leave = async () => {
    if (!change.isPending && (await mayLeave())) onClose()
  }
  useAboveThePage(leave)

  const save = async () => {
    if (differenceOf(chosen, old).length === 0) {
      void message.info(say('console.permissions.notChanged'))
      return
    }
    try {
      await change.mutateAsync({ id, userId, ...grantOf(menus.data ?? [], old, chosen) })
      void message.success(say('console.form.done'))
      onClose()
    } catch (error) {
      void message.error(say('console.form.failed', { reason: (error as Error).message }))
    }
  }
  return (
    <Modal
      open
      title={say('console.permissions.title', { userId })}
      width={720}
      onCancel={leave}
      closable={{ 'aria-label': say('console.form.close') }}
      footer={
        <>
          <Button onClick={leave}>{say('console.form.cancel')}</Button>
          <Button
            type="primary"
            loading={change.isPending}
            disabled={!menus.data || !held.data}
            onClick={() => void save()}
          >
            {say('console.permissions.save')}
          </Button>
        </>
      }
    >
      <ReadState read={held.data ? menus : held}>
        <PermissionTree
          menus={(menus.data ?? []) as PermissionNode[]}
          chosen={chosen}
          onChange={setChanged}
        />
      </ReadState>
    </Modal>
  )
}
