import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { ManagedUser } from '../../../contract/user-admin.ts'
import { roles } from '../../../contract/users.ts'
import { useUser } from '../../session.ts'

/** Opens what can be changed of a user; undefined for those of the own rank or above, or already gone. */
export function useEditUser(): (user: ManagedUser) => (() => unknown) | undefined {
  const self = useUser()
  const navigate = useNavigate()
  const ownId = self?.id
  const rank = self?.role ?? 0
  return useCallback(
    ({ id, role, DeletedAt }: ManagedUser) => {
      if (DeletedAt !== null) return undefined
      if (role < rank || rank >= roles.root)
        return () => navigate({ to: '/user/edit/$id', params: { id: String(id) }, search: true })
      // Of oneself, what anyone can.
      return id === ownId ? () => navigate({ to: '/user/edit' }) : undefined
    },
    [navigate, ownId, rank],
  )
}
