/** The newcomer in the project as it lies here; `npm run newcomer` begins with a fresh clone. */
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../../interop/server.ts'
import { withoutCertutil } from '../certutil.ts'
import { homeIn, newcomerEnvironment, playNewcomer, stepsText } from '../newcomer.ts'

const project = join(import.meta.dirname, '..', '..')

test(
  'who pastes the printed lines gets a token, orders, a revocation, and a browser that warns of nothing',
  { skip: withoutCertutil },
  async (t) => {
    using folder = temporaryFolder()
    const home = homeIn(folder.path)
    const env = { ...newcomerEnvironment(home), GRANTOR_DATA: join(folder.path, 'data') }
    t.diagnostic(`\n${stepsText(await playNewcomer({ project, home, env }))}`)
  },
)
