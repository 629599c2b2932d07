/** Settings as the text of a `grantor.yaml`, each with its description as a comment. */
import { type SettingKey, settingKeys, settingsList } from '@grantor/server'
import { Document, isMap, isScalar } from 'yaml'
import type { WrittenSettings } from './init-settings.ts'

const header =
  ' Written by `grantor init`. Other settings: `grantor start --help`; what is wrong: `grantor config check`.'

export function settingsText(settings: WrittenSettings): string {
  const document = new Document({})
  for (const name of namesInOrder(settings)) document.setIn(name.split('.'), settings[name])
  for (const name of namesInOrder(settings)) {
    const path = name.split('.')
    const map = document.getIn(path.slice(0, -1), true)
    const pair = isMap(map) ? map.items.find(({ key }) => keyText(key) === path.at(-1)) : undefined
    if (pair === undefined) continue
    const key = document.createNode(path.at(-1) ?? '')
    key.commentBefore = ` ${descriptionOf(name)}`
    pair.key = key
  }
  document.commentBefore = header
  return document.toString({ lineWidth: 0 })
}

const keyText = (key: unknown): unknown => (isScalar(key) ? key.value : key)

const keyOf = (name: string): SettingKey | undefined =>
  settingKeys.find((key) => settingsList[key].name === name || `${settingsList[key].name}_file` === name)

const descriptionOf = (name: string): string => {
  const key = keyOf(name)
  return key === undefined ? '' : settingsList[key].description
}

/** In the order of the list of settings. */
const namesInOrder = (settings: WrittenSettings): readonly string[] =>
  Object.keys(settings).toSorted((one, other) => placeOf(one) - placeOf(other))

const placeOf = (name: string): number => {
  const key = keyOf(name)
  return key === undefined ? settingKeys.length : settingKeys.indexOf(key)
}
