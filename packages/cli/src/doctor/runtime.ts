/** Is this Node one that the product is tested on? */
import { type Finding, passed, warning } from '@grantor/server'

const tested = 26

export function checkRuntime(version: string = process.versions.node): Finding {
  const major = Number(version.split('.')[0])
  if (major >= tested) return passed('node', `Node ${version}`)
  return warning(
    'node',
    `Node ${version} runs, but Node ${tested} is what is tested`,
    '`npm ci` brings it; start with `npx grantor`',
  )
}
