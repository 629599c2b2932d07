/** Which pages there are for whom: by their scopes, and by whether the console is that of the deployment. */
import type { ConsoleContext } from '../console-context.ts'
import type { PageRow } from '../page-row.ts'

export const isReachable = (
  { right, ofDeployment }: Pick<PageRow, 'right' | 'ofDeployment'>,
  { place, session }: Pick<ConsoleContext, 'place' | 'session'>,
): boolean => session.may(right) && (ofDeployment !== true || place.tenant === null)
