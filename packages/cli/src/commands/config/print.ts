/** `grantor config print` */
import { settingKeys, settingsList, shownValue } from '@grantor/server'
import { tableText } from '../../output/table.ts'
import { type Command, hasFlag } from '../../program/command.ts'
import { done } from '../../program/exit.ts'
import { readSettings } from '../../program/settings.ts'

export const configPrint: Command = {
  name: 'print',
  description: 'show every setting as it counts; secrets only as set or not',
  options: [{ flag: '--sources', description: 'show the source of each value' }],
  listsSettings: true,
  run: async (context) => {
    const read = readSettings(context)
    if (read.kind === 'error') return read
    const { settings, sources, warnings } = read.value
    const withSources = hasFlag(context, '--sources')
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
    await context.out.document(document, tableText({ columns, rows: cells, width: null }, context.out.style))
    for (const warning of warnings) await context.out.remark(`warning: ${warning}`)
    return done
  },
}
