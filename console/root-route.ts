import { createRootRoute } from '@tanstack/react-router'
import { NotAllowed } from './shell/not-allowed.tsx'
import { Shell } from './shell/shell.tsx'

// An address that leads nowhere has a screen of its own: here arrive only those who may not see what is there.
export const rootRoute = createRootRoute({ component: Shell, notFoundComponent: NotAllowed })
