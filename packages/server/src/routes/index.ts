/** The list of routes. Adding one means one file and one line here. */
import { asset } from './assets.ts'
import { introspect } from './introspect.ts'
import { jwks } from './jwks.ts'
import { metrics } from './metrics.ts'
import { grantor, oauthServer, openidConfiguration } from './metadata.ts'
import { problem, problemIndex } from './problems.ts'
import { revoke } from './revoke.ts'
import type { Route } from './route.ts'
import { token } from './token.ts'

export const routes: readonly Route[] = [
  token,
  introspect,
  revoke,
  jwks,
  openidConfiguration,
  oauthServer,
  grantor,
  metrics,
  problemIndex,
  problem,
  asset,
]
