/** What holds for many pages of the console at once. Registered where a server and a browser are up. */
import type { Browser } from 'playwright-core'
import type { ConsoleDeployment } from '../console.ts'
import type { Person } from '../person.ts'
import { dialogTests } from './dialogs.ts'
import { formTests } from './forms.ts'
import { hostileNameTests } from './hostile-names.ts'
import { linkedProviderTests } from './linked-provider.ts'
import { listTests } from './lists.ts'
import { mergeTests } from './merge.ts'
import { narrowTests } from './narrow.ts'
import { receiptTests } from './receipts.ts'

interface Open {
  readonly browser: Browser
  readonly deployment: ConsoleDeployment
  readonly ada: Person
}

export function everyPageTests(up: () => Open): void {
  dialogTests(up)
  narrowTests(up)
  hostileNameTests(up)
  linkedProviderTests(up)
  mergeTests(up)
  formTests(up)
  listTests(up)
  receiptTests(up)
}
