/** Which addresses belong to an API that stands beside other routes. */
import { originForm } from '@grantor/protocol/http'
import type { ResourceServer } from '../serve/resource-server.ts'

export interface BesideOptions {
  /** The API answers every path, unknown ones with 404 as a problem. Otherwise it answers only its own paths. */
  readonly everything?: boolean
}

export function ownsPath(
  { paths }: Pick<ResourceServer, 'paths'>,
  { everything = false }: BesideOptions,
): (target: string) => boolean {
  if (everything) return () => true
  const exact = new Set(paths.filter((path) => !path.endsWith('*')))
  const prefixes = paths.filter((path) => path.endsWith('*')).map((path) => path.slice(0, -1))
  return (target) => {
    const [path = ''] = originForm(target).split('?')
    return exact.has(path) || prefixes.some((prefix) => path.startsWith(prefix))
  }
}
