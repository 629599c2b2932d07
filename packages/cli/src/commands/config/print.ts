/** `grantor config print` */
import { settingKeys, settingsList } from '@grantor/server'
import { done } from '../../program/exit.ts'
import { tableText } from '../../output/table.ts'
import { settle, shownValue } from '../../program/settings.ts'
import { isSet, type Verb } from '../../program/command.ts'

export const configPrint: Verb = {
  name: 'print',
  says: 'show every setting as it counts; secrets only as set or not',
  options: [{ flag: '--sources', says: 'show the source of each value' }],
  listsSettings: true,
  run: async (call) => {
    const read = settle(call)
    if (!read.ok) return read.failure
    const { settings, sources, warnings } = read.settled
    const withSources = isSet(call, '--sources')
    const rows = settingKeys.map((key) => ({
      name: settingsList[key].name,
      value: shownValue(key, settings),
      source: sources[key].where,
    }))
    const document = Object.fromEntries(
      rows.map(({ name, value, source }) => [name, withSources ? { value, source } : value]),
    )
    const columns = withSources ? ['SETTING', 'VALUE', 'SOURCE'] : ['SETTING', 'VALUE']
    const cells = rows.map(({ name, value, source }) => (withSources ? [name, value, source] : [name, value]))
    await call.out.document(document, tableText(columns, cells, call.out.style))
    for (const warning of warnings) await call.out.remark(`warning: ${warning}`)
    return done
  },
}
